/**
 * The person of a sampled bid request, a keyed hash that no other table has, 0 for none; and the level by which people are chosen, which is 255
 * in rows of earlier releases.
 */
export const sampledPeople = [
  `alter table request_sample add column if not exists person UInt64 default 0`,
  `alter table request_sample add column if not exists person_level UInt8 default 0`,
  `alter table request_sample add column if not exists level UInt8 default 255`,
];
