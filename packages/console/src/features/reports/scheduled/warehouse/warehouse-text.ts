import type { WarehouseKind } from '@bidwell/contract/warehouse/schema';

/** The kinds of events as people read them, in the order of a form. */
export const KIND_LABELS: Readonly<Record<WarehouseKind, string>> = {
  bids: 'Bids (a sample)',
  wins: 'Wins',
  losses: 'Losses',
  billings: 'Billing notices',
  impressions: 'Impressions',
  clicks: 'Clicks',
  installs: 'Installs',
  app_events: 'In-app events',
  returns: 'Returns',
  re_engagement_events: 'Re-engagement events',
};
