import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Finding } from '@bidwell/contract/insight/finding';
import { Stack, Text } from '@mantine/core';
import { type Loadable, knownAs, useLoadable } from '../../../lib/loadable.ts';
import { findingsQuery } from '../../../entities/insight/queries.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { FindingList } from '../../../entities/insight/finding-list.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';

const SHOWN = 2;

interface SpendReasonsProps {
  campaign: Campaign;
  /** Whether it had no impressions in the selected range. */
  isIdle: boolean;
  /** The limits of an ad set, in place of the findings of the campaign. */
  adset: Finding | undefined;
}

/** Why a campaign or ad set spends less than it could in the selected range, and the way to all findings. */
export function SpendReasons({ campaign, isIdle, adset }: SpendReasonsProps) {
  const { range } = useRangeSearch();
  const all = useLoadable({ ...findingsQuery(campaign.uuid, range), enabled: !adset });
  const findings: Loadable<readonly Finding[]> = adset ? knownAs([adset]) : all;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {isIdle ? 'No impressions in this period' : 'It could spend more'}
      </Text>
      <FigureFrame
        figures={findings}
        what="The findings"
        skeleton={<Text size="sm">Looking for the reason…</Text>}
      >
        {(known) => <FindingList findings={known.slice(0, SHOWN)} />}
      </FigureFrame>
      <AnchorLink size="sm" to="/campaigns/delivery" search={{ uuid: campaign.uuid }}>
        Delivery of the campaign
      </AnchorLink>
    </Stack>
  );
}
