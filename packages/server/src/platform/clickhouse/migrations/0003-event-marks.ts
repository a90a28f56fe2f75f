/** Marks of invalid traffic: `bot`, `datacenter`, or empty. */
export const eventMarks = [
  `alter table events add column if not exists mark LowCardinality(String) default ''`,
];
