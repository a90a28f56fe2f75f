import { Stack } from '@mantine/core';
import { skadnetworkQuery } from '../../entities/skadnetwork/queries.ts';
import { useMayCall } from '../../entities/operator-accounts/session-queries.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { AppsSection } from './apps-section.tsx';
import { ExchangesSection } from './exchanges-section.tsx';
import { NetworksSection } from './networks-section.tsx';
import { PostbacksSection } from './postbacks-section.tsx';

/** /operator/skadnetwork: the ad networks that bids are signed for, and with which exchanges and apps. */
export function SkadnetworkScreen() {
  const figures = useLoadable(skadnetworkQuery);
  const mayChange = useMayCall('exchange.write');
  return (
    <>
      <PageHeader
        title="SKAdNetwork"
        description="On iOS, Apple reports installs to the ad network that signed the ad. Bids are signed for SKAdNetwork and AdAttributionKit with the exchanges and for the apps that are switched on. An ad that cannot be signed is bought without a signature."
      />
      <Stack>
        <NetworksSection figures={figures} mayChange={mayChange} />
        <ExchangesSection figures={figures} mayChange={mayChange} />
        <AppsSection mayChange={mayChange} />
        <PostbacksSection figures={figures} />
      </Stack>
    </>
  );
}
