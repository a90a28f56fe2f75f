import { type CompanyRole, companyRoleHas, mayGiveRole } from '@bidwell/contract/accounts/permission';
import type { Invitation, Person } from '@bidwell/contract/accounts/people';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Forbidden, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { revokeSessionsIn } from '../sessions/session-store.ts';
import { lockUser } from '../store.ts';
import { revokeApiTokensOf } from '../tokens/api-tokens.ts';
import { presentInvitation, revokeInvitationsOf, listOpenInvitations } from './invitations.ts';
import {
  type LockedPeople,
  lockPeople,
  type MemberRow,
  deleteMembership,
  listMembers,
  updateMembershipRole,
} from './membership-store.ts';
import { insertMarks, markOfAddress, markOfIdentity } from './former-people-store.ts';
import { listIdentities } from '../sso/sign-in-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** The people of the actor's company, in the order in which they joined, and its open invitations, newest first. */
export async function listPeople(
  ctx: Context,
  actor: Actor,
): Promise<{ people: Person[]; invitations: Invitation[] }> {
  requirePermission(actor, 'people.read');
  const { companyId } = actor;
  const [members, invitations] = await Promise.all([
    listMembers(ctx.db, companyId),
    listOpenInvitations(ctx.db, companyId, ctx.now()),
  ]);
  return { people: members.map(presentPerson), invitations: invitations.map(presentInvitation) };
}

/**
 * Gives a person another role. Their API tokens and invitations that the new role does not allow end with it. Throws
 * NotFound; Conflict for the only owner; Forbidden for a role with more than the actor's.
 */
export async function changeRole(
  ctx: Context,
  actor: Session,
  { userId, role }: { userId: string; role: CompanyRole },
): Promise<Person> {
  requirePermission(actor, 'people.write');
  return transact(ctx.db, async (tx) => {
    const people = await lockPeople(tx, actor, 'people.write');
    const person = memberOf(people, userId);
    await requireExpected(() => presentPerson(person));
    if (!mayGiveRole(people.ownRole, role)) throw new Forbidden(messages.roleForbids);
    if (role !== 'owner') requireOtherOwner(people, person);
    return setRole(ctx, tx, actor, { people, person, role });
  });
}

/** Makes another person an owner and the actor an editor, at once. Throws NotFound. */
export async function transferOwnership(
  ctx: Context,
  actor: Session,
  { userId }: { userId: string },
): Promise<Person> {
  requirePermission(actor, 'people.write');
  return transact(ctx.db, async (tx) => {
    const people = await lockPeople(tx, actor, 'people.write');
    const heir = memberOf(people, userId);
    if (heir.uuid === actor.userId) return presentPerson(heir);
    const owner = await setRole(ctx, tx, actor, { people, person: heir, role: 'owner' });
    await setRole(ctx, tx, actor, { people, person: memberOf(people, actor.userId), role: 'editor' });
    return owner;
  });
}

/** Removes a person, whose sessions of the company end at once. Throws NotFound; Conflict for the only owner. */
export async function removePerson(
  ctx: Context,
  actor: Session,
  { userId }: { userId: string },
): Promise<void> {
  requirePermission(actor, 'people.remove');
  await transact(ctx.db, async (tx) => {
    const people = await lockPeople(tx, actor, 'people.remove');
    await requireExpected(() => presentPerson(memberOf(people, userId)));
    await endMembership(ctx, tx, actor, { people, userId });
  });
}

/** Ends the actor's own membership. Throws Conflict for the only owner. */
export async function leaveCompany(ctx: Context, actor: Session): Promise<void> {
  requirePermission(actor, 'membership.write');
  await transact(ctx.db, async (tx) => {
    const people = await lockPeople(tx, actor, 'membership.write');
    await endMembership(ctx, tx, actor, { people, userId: actor.userId });
  });
}

async function setRole(
  ctx: Context,
  tx: Tx,
  actor: Session,
  { people, person, role }: { people: LockedPeople; person: MemberRow; role: CompanyRole },
): Promise<Person> {
  const { companyId } = actor;
  const userId = person.uuid;
  await updateMembershipRole(tx.db, companyId, { userId, role });
  if (!companyRoleHas(role, 'api_token.create')) await revokeApiTokensOf(ctx, tx, actor, userId);
  await revokeInvitationsOf(ctx, tx, actor, { userId, role, people });
  await recordChange(ctx, tx, actor, {
    entity: 'user',
    uuid: userId,
    name: person.login,
    before: { role: person.role },
    after: { role },
  });
  return presentPerson({ ...person, role });
}

async function endMembership(
  ctx: Context,
  tx: Tx,
  actor: Session,
  { people, userId }: { people: LockedPeople; userId: string },
): Promise<void> {
  const { companyId } = actor;
  const person = memberOf(people, userId);
  requireOtherOwner(people, person);
  // Against a session that is renewed meanwhile, as for ending sessions.
  await lockUser(tx.db, userId);
  // Single sign-on lets them come back by an invitation only.
  const identities = await listIdentities(tx.db, companyId, userId);
  const marks = [
    markOfAddress(companyId, person.email),
    ...identities.map((identity) => markOfIdentity(companyId, identity)),
  ];
  await insertMarks(tx.db, companyId, { userId, marks, at: ctx.now() });
  await deleteMembership(tx.db, companyId, userId);
  const ended = await revokeSessionsIn(tx.db, companyId, userId, { now: ctx.now() });
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
  await revokeApiTokensOf(ctx, tx, actor, userId);
  await revokeInvitationsOf(ctx, tx, actor, { userId, role: null, people });
  await recordChange(ctx, tx, actor, {
    entity: 'user',
    uuid: userId,
    name: person.login,
    before: { role: person.role },
  });
}

/** Throws NotFound. */
function memberOf({ members }: LockedPeople, userId: string): MemberRow {
  const person = members.find(({ uuid }) => uuid === userId);
  if (!person) throw new NotFound('Person');
  return person;
}

/** Throws Conflict for the only owner. */
function requireOtherOwner({ members }: LockedPeople, { uuid }: MemberRow): void {
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.length === 1 && owners[0]!.uuid === uuid) throw new Conflict(accountApiMessages.lastOwner);
}

function presentPerson({ uuid, login, email, first_name, last_name, role, created_at }: MemberRow): Person {
  return { uuid, login, email, first_name, last_name, role, since: created_at.toISOString() };
}
