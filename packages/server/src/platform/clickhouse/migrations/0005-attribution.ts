/**
 * Why an install is not used for training; and which postback a row is, so that one that is stored again is known, with why
 * its outcome is what it is.
 */
export const attribution = [
  `alter table events add column if not exists untrained LowCardinality(String) default ''`,
  `alter table postbacks add column if not exists id UUID`,
  `alter table postbacks add column if not exists reason LowCardinality(String) default ''`,
];
