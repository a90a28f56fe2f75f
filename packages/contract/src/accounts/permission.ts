/**
 * What a call of the console's API does, as `noun.verb`: each call needs one of these permissions. The nouns of what can be
 * archived are those of its kinds.
 */
export const PERMISSIONS = [
  'app.read',
  'app.write',
  'creative.read',
  'creative.write',
  'creative_group.read',
  'creative_group.write',
  'target.read',
  'target.write',
  'tracking_link.read',
  'tracking_link.write',
  'adset.read',
  'adset.write',
  'campaign.read',
  'campaign.write',
  'file.read',
  'storage.read',
  'report.read',
  'bid_log.read',
  'money.read',
  'money.write',
  'change.read',
  'change.undo',
  'notification.read',
  'notification.write',
  'user.read',
  'user.write',
  'company.write',
  'api_token.read',
  'api_token.create',
  'api_token.revoke',
  'postbacks.read',
  'postbacks.write',
  'postbacks.secret',
  'reference.read',
] as const;

export type Permission = (typeof PERMISSIONS)[number];
