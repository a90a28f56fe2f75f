const NIL = "toUUID('00000000-0000-0000-0000-000000000000')";
/** Columns by which people were grouped, with the value that the rows of other kinds share. */
const columns = {
  campaign_id: NIL,
  adset_id: NIL,
  app_id: NIL,
  creative_group_id: NIL,
  creative_id: NIL,
  creative_type: "''",
  creative_width: '0',
  creative_height: '0',
  creative_duration_ms: '0',
  exchange: "''",
  bundle: "''",
  os: "''",
  country: "''",
};
const IS_APP_EVENT = "kind in ('app_event', 'app_event_rejected')";
const OF_PERSON = "kind in ('install', 'install_rejected', 'app_event', 'app_event_rejected')";
const ofPerson = (expression: string, otherwise: string) => `if(${OF_PERSON}, ${expression}, ${otherwise})`;
const keys = [
  'company_id',
  'test',
  OF_PERSON,
  ofPerson(`toUInt128(if(${IS_APP_EVENT}, click_bid_id, bid_id))`, 'toUInt128(0)'),
  'toStartOfMonth(time)',
  ...Object.entries(columns).map(([column, otherwise]) => ofPerson(column, otherwise)),
].join(', ');
const figures = [
  "minIf(time, kind = 'install' and mark = '')",
  "countIf(kind = 'install_rejected')",
  `groupArrayIf((event_at, revenue_micros, is_ad_revenue, kind = 'app_event_rejected',
    revenue_amount > '' and revenue_known = 0), ${IS_APP_EVENT} and mark = '')`,
].join(', ');

/** A projection of people, with their install and their events in the app. A later migration replaces it. */
export const people = [
  `alter table events add projection if not exists person_values ( select ${keys}, ${figures} group by ${keys} )`,
  'alter table events materialize projection person_values',
];
