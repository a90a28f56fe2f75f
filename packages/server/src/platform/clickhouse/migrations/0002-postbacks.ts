/** Postbacks of measurement partners as received, with a retention of a quarter of a year. */
export const postbacks = [
  `create table if not exists postbacks (
    time DateTime64(3, 'UTC'),
    company_id UUID,
    mmp LowCardinality(String),
    outcome LowCardinality(String),
    click_id String,
    parameters String
  ) engine = MergeTree
  partition by toYYYYMM(time)
  order by (company_id, time)
  ttl toDateTime(time) + interval 90 day`,
];
