import type { Permission } from '@bidwell/contract/accounts/permission';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import type { Actor } from './actor.ts';
import { Forbidden, Unauthenticated } from './errors.ts';

/** What permissions are given to: roles other than those that have all, and people of a suspended company. */
type Grantee = 'viewer' | 'api-token' | 'suspended';

const READERS = ['viewer', 'suspended'] as const;
const REPORT_READERS = [...READERS, 'api-token'] as const;

/** Who has a permission beside the people of a company that is not suspended and the system, who have all. */
const GRANTS: Readonly<Record<Permission, readonly Grantee[]>> = {
  'app.read': READERS,
  'app.write': [],
  'creative.read': READERS,
  'creative.write': [],
  'creative_group.read': READERS,
  'creative_group.write': [],
  'target.read': READERS,
  'target.write': [],
  'tracking_link.read': READERS,
  'tracking_link.write': [],
  'adset.read': READERS,
  'adset.write': [],
  'campaign.read': READERS,
  'campaign.write': [],
  'file.read': READERS,
  'storage.read': READERS,
  'report.read': REPORT_READERS,
  'bid_log.read': REPORT_READERS,
  'money.read': READERS,
  'money.write': [],
  'change.read': READERS,
  'change.undo': [],
  'notification.read': READERS,
  'notification.write': ['suspended'],
  'user.read': READERS,
  'user.write': ['suspended'],
  'company.write': [],
  'api_token.read': READERS,
  'api_token.create': [],
  'api_token.revoke': ['suspended'],
  'postbacks.read': READERS,
  'postbacks.write': [],
  'postbacks.secret': ['suspended'],
  'reference.read': READERS,
};

/** What an actor's permissions depend on. */
type Standing = Pick<Actor, 'role' | 'suspended'>;

/** Whether an actor may do what needs a permission. */
export function hasPermission(actor: Standing, permission: Permission): boolean {
  const grantee = granteeOf(actor);
  return grantee === null || GRANTS[permission].includes(grantee);
}

/**
 * The first statement of every function that a route calls. Throws Forbidden, with a sentence for the actor's role, unless
 * {@link hasPermission}; Unauthenticated for an API token, which is no login.
 */
export function requirePermission(actor: Standing, permission: Permission): void {
  if (hasPermission(actor, permission)) return;
  if (actor.role === 'api-token') throw new Unauthenticated(apiMessages.apiTokenReports);
  throw new Forbidden(actor.role === 'viewer' ? messages.viewing : messages.suspended);
}

/** Null for an actor who has every permission. */
function granteeOf({ role, suspended = false }: Standing): Grantee | null {
  if (role === 'viewer' || role === 'api-token') return role;
  return role === 'person' && suspended ? 'suspended' : null;
}
