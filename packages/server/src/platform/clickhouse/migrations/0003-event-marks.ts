/** What makes an event doubtful: `bot`, `datacenter`, or nothing. */
export const eventMarks = [
  `alter table events add column if not exists mark LowCardinality(String) default ''`,
];
