import type { WarehouseKind } from '@bidwell/contract/warehouse/schema';

/** A table of the export: the rows of ClickHouse that it has, and its columns with the SQL of each. */
interface WarehouseTable {
  from: 'events' | 'bid_sample';
  /** SQL of the rows. */
  where: string;
  columns: readonly (readonly [name: string, sql: string])[];
}

const id = (name: string, column = name) => [name, `toString(${column})`] as const;
const same = (name: string) => [name, name] as const;
/** Money as a number of dollars with six decimals, and exactly in millionths. */
const money = (name: string, column = `${name}_micros`) =>
  [
    [`${name}_micros`, `toInt64(${column})`],
    [name, `toDecimal64(${column}, 6) / 1000000`],
  ] as const;

const PLACE = [
  id('campaign_id'),
  id('adset_id'),
  id('creative_id'),
  same('creative_type'),
  same('creative_width'),
  same('creative_height'),
  same('exchange'),
  same('bundle'),
  same('os'),
  same('country'),
] as const;

/** What all events of a bid have. */
const OF_BID = [
  same('time'),
  id('bid_id'),
  ['bid_time', "fromUnixTimestamp64Milli(toInt64(bitShiftRight(toUInt128(bid_id), 80)), 'UTC')"],
  id('app_id'),
  id('creative_group_id'),
  ...PLACE,
  same('creative_duration_ms'),
  same('language'),
  ['is_test', 'toBool(test = 1)'],
  ['invalid_traffic', 'toString(mark)'],
  same('stored_at'),
] as const;

const ofKind = (kind: string, ...more: WarehouseTable['columns']): WarehouseTable => ({
  from: 'events',
  where: `kind = '${kind}'`,
  columns: [...OF_BID, ...more],
});

/** Events in the app that follow bids of one kind of campaign. Each has an id of its own in place of the bid's. */
const ofAppEvents = (kind: 'app_event' | 'reengaged_event'): WarehouseTable => ({
  from: 'events',
  where: `kind in ('${kind}', '${kind}_rejected')`,
  columns: [
    ...OF_BID.filter(([name]) => name !== 'bid_id' && name !== 'bid_time'),
    id('event_id', 'bid_id'),
    id('bid_id', 'click_bid_id'),
    ['is_rejected', `toBool(kind = '${kind}_rejected')`],
    same('event_name'),
    same('event_at'),
    ['install_at', 'if(toUnixTimestamp64Milli(install_at) = 0, null, install_at)'],
    ['revenue_micros', 'if(revenue_known = 1, revenue_micros, null)'],
    same('revenue_amount'),
    same('revenue_currency'),
    ['is_ad_revenue', 'toBool(is_ad_revenue = 1)'],
  ],
});

/** The charge on an event. The sum over wins, billings and impressions is the spend of the reports. */
const SPEND = money('spend');

/**
 * The tables of the export. Events that revoke another one are rows of its table with `is_rejected`. Bids are the sample of the bid log, each of
 * which stands for `weight` bids of its campaign. The operator's margin is in no column: bids are as the advertiser would be charged for them.
 */
export const warehouseTables: Readonly<Record<WarehouseKind, WarehouseTable>> = {
  bids: {
    from: 'bid_sample',
    where: '1',
    columns: [
      same('time'),
      id('bid_id'),
      ...PLACE,
      ...money('bid_cpm', 'charged_cpm_micros'),
      same('weight'),
      same('stored_at'),
    ],
  },
  wins: ofKind('win', ...SPEND),
  losses: ofKind(
    'loss',
    ...money('bid_cpm', 'charged_cpm_micros'),
    ['loss_code', 'loss_reason'],
    ['min_to_win_cpm_micros', 'nullIf(toInt64(min_to_win_cpm_micros), 0)'],
  ),
  billings: ofKind('billing', ...SPEND),
  impressions: ofKind('impression', ...SPEND),
  clicks: ofKind('click'),
  installs: {
    from: 'events',
    where: `kind in ('install', 'install_rejected')`,
    columns: [
      ...OF_BID,
      ['is_rejected', `toBool(kind = 'install_rejected')`],
      ['implausible', 'toString(untrained)'],
    ],
  },
  app_events: ofAppEvents('app_event'),
  returns: {
    from: 'events',
    where: `kind in ('reattribution', 'reattribution_rejected', 'reinstall', 'reinstall_rejected')`,
    columns: [
      ...OF_BID,
      ['return_kind', `replaceOne(toString(kind), '_rejected', '')`],
      ['is_rejected', `toBool(kind in ('reattribution_rejected', 'reinstall_rejected'))`],
    ],
  },
  re_engagement_events: ofAppEvents('reengaged_event'),
};
