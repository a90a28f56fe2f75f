import type { Adset } from '@bidwell/contract/adset';
import type { Campaign } from '@bidwell/contract/campaign';
import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../lib/queries/apps.ts';
import { creativeGroupsQuery } from '../../lib/queries/creative-groups.ts';
import { balanceQuery } from '../../lib/queries/finance.ts';
import { useToday } from '../../lib/today.ts';
import { spendErrors } from './spend-errors.ts';

/** The known reasons why an active campaign has no impressions. */
export function SpendReasons({ campaign, adsets }: { campaign: Campaign; adsets: readonly Adset[] }) {
  const today = useToday();
  const { data: apps } = useQuery(appsQuery);
  const { data: groups } = useQuery(creativeGroupsQuery);
  const { data: balance } = useQuery(balanceQuery);
  const errors = spendErrors(campaign, {
    app: apps?.find(({ uuid }) => uuid === campaign.app_uuid),
    adsets,
    groups,
    balance: balance && balance.balance + balance.credit_limit,
    today,
  });
  if (!apps || !groups || !balance) return <Text size="sm">Looking for the reason…</Text>;
  return (
    <>
      <Text size="sm" fw={600} mb={4}>
        No impressions in this period
      </Text>
      {errors.length > 0 ? (
        <List size="sm" spacing={2}>
          {errors.map(({ text }) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      ) : (
        <Text size="sm">
          Everything is in place. The first impressions may take a few minutes; if none come, raise the bids,
          or widen the target and the lists of publishers.
        </Text>
      )}
    </>
  );
}
