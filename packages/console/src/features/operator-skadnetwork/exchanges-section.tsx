import type { NetworkExchange, SkadnetworkSettings } from '@bidwell/contract/skadnetwork/schema';
import { operatorSigningTexts } from '@bidwell/contract/text/skadnetwork-text';
import { useMemo } from 'react';
import { switchNetworkExchange } from '../../entities/skadnetwork/queries.ts';
import { type Loadable, knownData } from '../../lib/loadable.ts';
import { formatNumber, formatPercent } from '../../lib/format/format.ts';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { SigningSwitch } from './signing-switch.tsx';
import { signablePercent, unsignedReasons } from './outcome-text.ts';

interface ExchangesSectionProps {
  figures: Loadable<SkadnetworkSettings>;
  mayChange: boolean;
}

/** The exchanges with their signing switch, and the share of their requests of the last seven days that could be signed. */
export function ExchangesSection({ figures, mayChange }: ExchangesSectionProps) {
  const settings = knownData(figures);
  const exchanges = settings?.exchanges;
  const networks = settings?.networks;
  const hasKey = networks === undefined || networks.some((network) => network.has_private_key);
  const columns = useMemo(() => columnsOf(mayChange, hasKey), [mayChange, hasKey]);
  return (
    <Section title="Exchanges" flush>
      <FigureFrame figures={figures} what="The exchanges" noticeMargin="sm">
        {exchanges?.length === 0 ? (
          <Muted px="md" pb="md">
            There is no exchange yet.
          </Muted>
        ) : (
          <RecordTable
            label="Exchanges"
            columns={columns}
            rows={exchanges}
            rowId={({ slug }) => slug}
            minWidth={480}
            cards
          />
        )}
      </FigureFrame>
    </Section>
  );
}

/** The columns of the table; `hasKey`: whether there is an ad network with a private key, without which no bid is signed. */
function columnsOf(mayChange: boolean, hasKey: boolean): readonly RecordColumn<NetworkExchange>[] {
  return [
    { header: 'Exchange', cell: ({ name }) => name, wrap: 'anywhere', width: 170 },
    {
      header: 'Signing',
      cell: ({ slug, name, enabled }) => (
        <SigningSwitch
          enabled={enabled}
          name={name}
          mayChange={mayChange}
          send={(next) => switchNetworkExchange(slug, next)}
        />
      ),
    },
    {
      header: 'Requests of iOS apps, last 7 days',
      cell: (exchange) => <Requests exchange={exchange} hasKey={hasKey} />,
    },
  ];
}

function Requests({ exchange, hasKey }: { exchange: NetworkExchange; hasKey: boolean }) {
  // Counts from a time with an ad network say nothing about the present.
  if (!hasKey) return <Muted>{operatorSigningTexts.noNetwork}</Muted>;
  const percent = signablePercent(exchange);
  if (percent === null)
    return <Muted>{exchange.enabled ? 'None counted yet' : 'Counted once signing is on'}</Muted>;
  const reasons = unsignedReasons(exchange);
  return (
    <>
      {formatPercent(percent)} of {formatNumber(exchange.requests)} could be signed
      {reasons !== '' && <Caption>Of all requests, {reasons}.</Caption>}
    </>
  );
}
