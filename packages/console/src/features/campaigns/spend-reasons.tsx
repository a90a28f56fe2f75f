import type { Campaign } from '@bidwell/contract/campaign';
import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { findingsQuery } from '../../lib/queries/delivery.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { FindingList } from '../../ui/finding-list.tsx';
import { AnchorLink } from '../../ui/links.tsx';

const SHOWN = 2;

/** Why an active campaign has no impressions in the selected range: the first findings, and the way to all of them. */
export function SpendReasons({ campaign }: { campaign: Campaign }) {
  const { range } = useRangeSearch();
  const { data: findings, error } = useQuery(findingsQuery(campaign.uuid, range));
  return (
    <Stack gap="sm">
      <Text size="sm" fw={600}>
        No impressions in this period
      </Text>
      {findings && <FindingList findings={findings.slice(0, SHOWN)} />}
      {!findings && <Text size="sm">{error ? error.message : 'Looking for the reason…'}</Text>}
      <AnchorLink size="sm" to="/campaigns/delivery" search={{ uuid: campaign.uuid }}>
        Delivery of the campaign
      </AnchorLink>
    </Stack>
  );
}
