/**
 * The audiences of the person of a sampled bid request: `list_state` is 0 where that is not known, 1 for a person who must not be looked up in
 * audiences or has no id, 2 for one who was looked up. `looked_up` are the audiences that the bidder had, separated by commas, and
 * `audiences` those of them that have the person.
 */
export const sampledAudiences = [
  `alter table request_sample add column if not exists list_state UInt8 default 0`,
  `alter table request_sample add column if not exists looked_up LowCardinality(String) default ''`,
  `alter table request_sample add column if not exists audiences Array(UUID) default []`,
];
