import type { Campaign } from '@bidwell/contract/campaigns/schema';
import type { Finding } from '@bidwell/contract/insight/finding';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { findingsQuery } from '../../../entities/insight/queries.ts';
import { useRangeSearch } from '../../../lib/range-search.ts';
import { FindingList } from '../../../entities/insight/finding-list.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';

const SHOWN = 2;

interface SpendReasonsProps {
  campaign: Campaign;
  /** Whether it had no impressions in the selected range. */
  isIdle: boolean;
  /** What limits an ad set, in place of the findings of the campaign. */
  adset: Finding | undefined;
}

/** Why a campaign or ad set spends less than it could in the selected range, and the way to all findings. */
export function SpendReasons({ campaign, isIdle, adset }: SpendReasonsProps) {
  const { range } = useRangeSearch();
  const all = useQuery({ ...findingsQuery(campaign.uuid, range), enabled: !adset });
  const findings = adset ? [adset] : all.data;
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        {isIdle ? 'No impressions in this period' : 'It could spend more'}
      </Text>
      {findings && <FindingList findings={findings.slice(0, SHOWN)} />}
      {!findings && <Text size="sm">{all.error ? all.error.message : 'Looking for the reason…'}</Text>}
      <AnchorLink size="sm" to="/campaigns/delivery" search={{ uuid: campaign.uuid }}>
        Delivery of the campaign
      </AnchorLink>
    </Stack>
  );
}
