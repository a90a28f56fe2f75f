import { type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import type { Actor } from './actor.ts';
import { Forbidden, Unauthenticated } from './errors.ts';

/** Who has a part of the permissions that a company's people have: other callers, and people of a suspended company. */
type Grantee = 'viewer' | 'api-token' | 'suspended';

const READERS = ['viewer', 'suspended'] as const;
const REPORT_READERS = [...READERS, 'api-token'] as const;

/**
 * Who has a permission beside the system, which has all, and people of a company that is not suspended, whose role decides
 * (`accounts/permission.ts` of the contract). People of a suspended one need both.
 */
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
  'people.read': READERS,
  'people.write': [],
  'people.remove': ['suspended'],
  'membership.read': READERS,
  'membership.write': ['suspended'],
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
type Standing = Pick<Actor, 'role' | 'companyRole' | 'suspended'>;

/** Whether an actor may do what needs a permission. */
export function hasPermission(actor: Standing, permission: Permission): boolean {
  if (actor.role === 'system') return true;
  if (actor.role !== 'person') return GRANTS[permission].includes(actor.role);
  return isGrantedWhileSuspended(actor, permission) && isOfRole(actor, permission);
}

/**
 * The first statement of every function that a route calls. Throws Forbidden, with a sentence for the actor's role, unless
 * {@link hasPermission}; Unauthenticated for an API token, which is no login.
 */
export function requirePermission(actor: Standing, permission: Permission): void {
  if (hasPermission(actor, permission)) return;
  if (actor.role === 'api-token') throw new Unauthenticated(apiMessages.apiTokenReports);
  if (actor.role === 'viewer') throw new Forbidden(messages.viewing);
  throw new Forbidden(isOfRole(actor, permission) ? messages.suspended : messages.roleForbids);
}

function isGrantedWhileSuspended({ suspended = false }: Standing, permission: Permission): boolean {
  return !suspended || GRANTS[permission].includes('suspended');
}

/** Whether a person's role has a permission; none without a role. */
function isOfRole({ companyRole }: Standing, permission: Permission): boolean {
  return companyRole !== undefined && companyRoleHas(companyRole, permission);
}
