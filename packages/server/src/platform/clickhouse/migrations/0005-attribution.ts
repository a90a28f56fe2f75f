/**
 * The reason why an install is not used for training; and an id by which repeated postbacks are recognized, with the
 * reason of their outcome.
 */
export const attribution = [
  `alter table events add column if not exists untrained LowCardinality(String) default ''`,
  `alter table postbacks add column if not exists id UUID`,
  `alter table postbacks add column if not exists reason LowCardinality(String) default ''`,
];
