import { type Permission, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { scopesHave, scopesWith } from '@bidwell/contract/accounts/scope';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { messages } from '@bidwell/contract/text/messages';
import type { Actor } from './actor.ts';
import { Forbidden, Unauthenticated } from './errors.ts';

/** Who has a part of the permissions that a company's people have: operators who view it, and people of a suspended one. */
type Grantee = 'viewer' | 'suspended';

const READERS = ['viewer', 'suspended'] as const;

/**
 * Who has a permission, in addition to the system, which has all, and people of a company that is not suspended, whose role decides
 * (`accounts/permission.ts` of the contract). People of a suspended one need both. API keys have what their scopes
 * (`accounts/scope.ts`) and the person who made them have.
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
  'audience.read': READERS,
  'audience.write': [],
  'audience.sync': [],
  'tracking_link.read': READERS,
  'tracking_link.write': [],
  'adset.read': READERS,
  'adset.write': [],
  'campaign.read': READERS,
  'campaign.write': [],
  'comment.write': [],
  'approval.write': [],
  'approval.rule': [],
  'file.read': READERS,
  'storage.read': READERS,
  'report.read': READERS,
  'report_schedule.read': READERS,
  'report_schedule.write': [],
  'report_destination.write': [],
  'bid_log.read': READERS,
  'money.read': READERS,
  'money.write': [],
  'change.read': READERS,
  'change.undo': [],
  'notification.read': READERS,
  'notification.write': ['suspended'],
  'alert.read': READERS,
  'alert.write': [],
  'user.read': READERS,
  'user.write': ['suspended'],
  'sign_in.read': ['suspended'],
  'sign_in.write': ['suspended'],
  'people.read': READERS,
  'people.write': [],
  'people.remove': ['suspended'],
  'membership.read': READERS,
  'membership.write': ['suspended'],
  'company.write': [],
  'sso.read': READERS,
  'sso.write': [],
  'api_token.read': READERS,
  'api_token.create': [],
  'api_token.revoke': ['suspended'],
  'postbacks.read': READERS,
  'postbacks.write': [],
  'postbacks.secret': ['suspended'],
  'reference.read': READERS,
};

/** Permissions of a person who lacks a second factor that the company requires: set it up, and leave. */
const WHILE_UNENROLLED: ReadonlySet<Permission> = new Set([
  'user.read',
  'sign_in.read',
  'sign_in.write',
  'membership.read',
  'membership.write',
]);

/** The fields that determine an actor's permissions. */
export type Standing = Pick<Actor, 'role' | 'companyRole' | 'scopes' | 'suspended' | 'unenrolled'>;

/** Whether an actor has a permission. */
export function hasPermission(actor: Standing, permission: Permission): boolean {
  if (actor.role === 'system') return true;
  if (actor.role === 'viewer') return GRANTS[permission].includes('viewer');
  if (!isGrantedWhileUnenrolled(actor, permission)) return false;
  return (
    isGrantedWhileSuspended(actor, permission) && isOfRole(actor, permission) && isInScope(actor, permission)
  );
}

/**
 * The first statement of every function that a route calls. Throws Forbidden, with a sentence for the actor's role or API key,
 * unless {@link hasPermission}; Unauthenticated for an API key that reads reports only, as keys of earlier releases do.
 */
export function requirePermission(actor: Standing, permission: Permission): void {
  if (hasPermission(actor, permission)) return;
  if (actor.role === 'viewer') throw new Forbidden(accountMessages.viewing);
  if (actor.role === 'api-token') requireScope(actor, permission);
  if (!isGrantedWhileUnenrolled(actor, permission)) throw new Forbidden(accountMessages.secondFactorRequired);
  if (isOfRole(actor, permission)) throw new Forbidden(accountMessages.suspended);
  throw new Forbidden(actor.role === 'api-token' ? accountApiMessages.keyRole : messages.roleForbids);
}

function requireScope(key: Standing, permission: Permission): void {
  if (isInScope(key, permission)) return;
  const isForReports = key.scopes?.every((scope) => scope === 'reports') ?? true;
  if (isForReports) throw new Unauthenticated(accountApiMessages.apiTokenReports);
  const scopes = scopesWith(permission);
  throw new Forbidden(
    scopes.length === 0 ? accountApiMessages.keyForPeopleOnly : accountApiMessages.keyScope(scopes),
  );
}

function isGrantedWhileSuspended({ suspended = false }: Standing, permission: Permission): boolean {
  return !suspended || GRANTS[permission].includes('suspended');
}

function isGrantedWhileUnenrolled({ unenrolled = false }: Standing, permission: Permission): boolean {
  return !unenrolled || WHILE_UNENROLLED.has(permission);
}

/** Whether the role of a person, or of the creator of an API key, has a permission; none without a role. */
function isOfRole({ companyRole }: Standing, permission: Permission): boolean {
  return companyRole !== undefined && companyRoleHas(companyRole, permission);
}

/** Whether an API key has a scope for a permission; other callers need none. */
function isInScope({ role, scopes = [] }: Standing, permission: Permission): boolean {
  return role !== 'api-token' || scopesHave(scopes, permission);
}
