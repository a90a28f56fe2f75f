import { PERMISSIONS, type Permission } from './permission.ts';

/**
 * Scopes of API keys. `reports` reads reports and their exports; `read` reads everything; `campaigns` reads and writes apps, targets,
 * audiences with their ids, tracking links, ad sets and campaigns; `creatives` creatives and their groups; `finance` money; `settings` the company's name, time
 * zone, postbacks, alerts, schedules of reports and notifications; `audience_sync` sends audiences as a measurement partner does. See
 * {@link scopesWith}.
 */
export const API_SCOPES = [
  'reports',
  'read',
  'campaigns',
  'creatives',
  'finance',
  'settings',
  'audience_sync',
] as const;
export type ApiScope = (typeof API_SCOPES)[number];

/** No key has it: sign-in, people and keys are managed by people, so that a leaked key cannot give itself more or lock them out. */
const NO_KEY = [] as const;

/**
 * For each permission the scopes of which a key needs one; its role in the company has to have the permission, too. The only table
 * of scopes; permission.ts has the table of roles.
 */
const SCOPES_BY_PERMISSION: Readonly<Record<Permission, readonly ApiScope[]>> = {
  'app.read': ['read', 'campaigns', 'creatives'],
  'app.write': ['campaigns'],
  'creative.read': ['read', 'campaigns', 'creatives'],
  'creative.write': ['creatives'],
  'creative_group.read': ['read', 'campaigns', 'creatives'],
  'creative_group.write': ['creatives'],
  'target.read': ['read', 'campaigns'],
  'target.write': ['campaigns'],
  'audience.read': ['read', 'campaigns'],
  'audience.write': ['campaigns'],
  'audience.sync': ['audience_sync'],
  'tracking_link.read': ['read', 'campaigns'],
  'tracking_link.write': ['campaigns'],
  'adset.read': ['read', 'campaigns'],
  'adset.write': ['campaigns'],
  'campaign.read': ['read', 'campaigns'],
  'campaign.write': ['campaigns'],
  // A comment is the word of a person.
  'comment.write': NO_KEY,
  // A program would be a second hand of the person who made its key.
  'approval.write': NO_KEY,
  'approval.rule': NO_KEY,
  'file.read': ['read', 'creatives'],
  'storage.read': ['read', 'creatives'],
  'report.read': ['reports', 'read'],
  'report_schedule.read': ['read', 'settings'],
  'report_schedule.write': ['settings'],
  // A key that may not read reports could have them sent to itself.
  'report_destination.write': NO_KEY,
  'bid_log.read': ['reports', 'read'],
  'money.read': ['read', 'finance'],
  'money.write': ['finance'],
  'change.read': ['read'],
  // Undoes changes of campaigns and ad sets.
  'change.undo': ['campaigns'],
  'notification.read': ['read', 'settings'],
  'notification.write': ['settings'],
  'user.read': ['read'],
  // The password and the mail address are of the sign-in.
  'user.write': NO_KEY,
  'sign_in.read': NO_KEY,
  'sign_in.write': NO_KEY,
  'people.read': ['read'],
  'people.write': NO_KEY,
  'people.remove': NO_KEY,
  'alert.read': ['read', 'settings'],
  'alert.write': ['settings'],
  'membership.read': ['read'],
  // Switching companies answers a session.
  'membership.write': NO_KEY,
  'company.write': ['settings'],
  'sso.read': NO_KEY,
  'sso.write': NO_KEY,
  'api_token.read': NO_KEY,
  'api_token.create': NO_KEY,
  'api_token.revoke': NO_KEY,
  'postbacks.read': ['read', 'settings'],
  'postbacks.write': ['settings'],
  'postbacks.secret': ['settings'],
  'reference.read': ['read', 'campaigns', 'creatives', 'finance', 'settings'],
};

/** The scopes of which a key needs one for a permission; empty if no key has it. */
export function scopesWith(permission: Permission): readonly ApiScope[] {
  return SCOPES_BY_PERMISSION[permission];
}

/** Whether a key with these scopes has a permission, as far as its role in the company allows. */
export function scopesHave(scopes: readonly ApiScope[], permission: Permission): boolean {
  return scopesWith(permission).some((scope) => scopes.includes(scope));
}

/** Whether a key with a scope may be valid without an end: one that only reads, and one that a partner has, who would stop without a word. */
export function mayBeEndless(scope: ApiScope): boolean {
  return scope === 'audience_sync' || isReadingScope(scope);
}

function isReadingScope(scope: ApiScope): boolean {
  return PERMISSIONS.every(
    (permission) => permission.endsWith('.read') || !scopesWith(permission).includes(scope),
  );
}
