/**
 * To which campaign and tracking link a postback belongs: nil where its click could not be read, and in rows of earlier releases.
 * `touchpoint` is the event that a counted install is attributed to, `partner_reason` the partner's own reason for a rejection.
 */
export const measurement = [
  'alter table postbacks add column if not exists campaign_id UUID',
  'alter table postbacks add column if not exists tracking_link_id UUID',
  `alter table postbacks add column if not exists touchpoint LowCardinality(String) default ''`,
  `alter table postbacks add column if not exists partner_reason String default ''`,
  'alter table postbacks add column if not exists test UInt8 default 0',
];
