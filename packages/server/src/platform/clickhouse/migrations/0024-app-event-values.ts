/** The columns by which the projection grouped, and the values of rows of other kinds. */
const NIL = "toUUID('00000000-0000-0000-0000-000000000000')";
const defaults = {
  time: "toDateTime64(0, 3, 'UTC')",
  click_bid_id: NIL,
  event_name: "''",
  campaign_id: NIL,
  adset_id: NIL,
  app_id: NIL,
  creative_id: NIL,
  creative_group_id: NIL,
  creative_type: "''",
  creative_width: '0',
  creative_height: '0',
  creative_duration_ms: '0',
  bundle: "''",
  os: "''",
  country: "''",
  exchange: "''",
};
const IS_APP_EVENT = "kind in ('app_event', 'app_event_rejected')";
const SIGN = "multiIf(mark != '', 0, kind = 'app_event', 1, kind = 'app_event_rejected', -1, 0)";
const keys = [
  'company_id',
  'test',
  IS_APP_EVENT,
  'toStartOfHour(time)',
  ...Object.entries(defaults).map(([column, otherwise]) => `if(${IS_APP_EVENT}, ${column}, ${otherwise})`),
].join(', ');
const measures = [
  `sum(${SIGN})`,
  `sum(${SIGN} * (revenue_micros > 0))`,
  `sum(${SIGN} * revenue_micros)`,
  `sum(${SIGN} * revenue_known)`,
  `sum(${SIGN} * (revenue_known = 0 and revenue_amount > ''))`,
].join(', ');

/** A projection with a row for each in-app event. A later migration replaces it. */
export const appEventAggregate = [
  `alter table events add projection if not exists app_event_values ( select ${keys}, ${measures} group by ${keys} )`,
  'alter table events materialize projection app_event_values',
];
