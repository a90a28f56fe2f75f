import { PEOPLE_MAX } from '@bidwell/contract/accounts/people';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { Email } from '@bidwell/contract/accounts/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { requiredName } from '@bidwell/contract/lib/wire';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { randomInt } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/oidc/identity-providers.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { hashOfNothing } from '../passwords/password-hash.ts';
import { listOpenInvitations, spendInvitation } from '../people/invitation-store.ts';
import { recordJoining } from '../people/joining.ts';
import {
  deleteMarks,
  insertMarks,
  isOfFormerPerson,
  markOfAddress,
  markOfIdentity,
} from '../people/people-marks-store.ts';
import {
  type MemberRow,
  insertMembership,
  isSuspended,
  listMembers,
  lockCompany,
} from '../people/membership-store.ts';
import { confirmPersonAddress, insertUser } from '../store.ts';
import { mailDomainOf } from './mail-domain.ts';
import { type ProviderRow, listDomains } from './provider-store.ts';
import {
  deleteIdentity,
  findIdentityUser,
  hasIdentity,
  insertIdentity,
  listIdentities,
} from './sign-in-store.ts';

/** An identity whose address the provider has verified. */
type Verified = Identity & { email: string };

/**
 * The person of the company who signed in. Who is linked with the identity is that person. At the first time, an address of exactly one
 * person of the company links them; otherwise somebody joins who is invited, or if people may join by signing in. Throws Invalid for
 * anybody else, and for an address of a domain that the company has not proven; Conflict for a full company.
 */
export async function personOfIdentity(
  ctx: Context,
  provider: ProviderRow,
  identity: Verified,
): Promise<string> {
  const companyId = provider.company_uuid;
  return transact(ctx.db, async (tx) => {
    const members = await lockMembers(tx, companyId, identity);
    const linkedId = await findIdentityUser(tx.db, companyId, identity);
    const member = members.find(({ uuid }) => uuid === linkedId);
    if (member) {
      // Under another subject they would be known by this address only.
      if (!isSameMail(member.email, identity.email))
        await noteAddress(ctx, tx, companyId, { member, identity });
      return member.uuid;
    }
    if (linkedId === undefined) {
      const found = await linkByMail(ctx, tx, { companyId, members, identity });
      if (found !== undefined) return found;
    }
    const role = await roleOfNewcomer(ctx, tx, { provider, identity, isLinked: linkedId !== undefined });
    if (members.length >= PEOPLE_MAX) throw new Conflict(apiMessages.peopleMax(PEOPLE_MAX));
    if (linkedId === undefined) return createPerson(ctx, tx, { companyId, identity, role });
    await insertMembership(tx.db, companyId, { userId: linkedId, role, at: ctx.now() });
    const fields = { role, sign_on: identity.issuer };
    await recordJoining(ctx, tx, { companyId, userId: linkedId, login: identity.email, fields });
    return linkedId;
  });
}

/**
 * Links a person of the company, who began it in a session of theirs, with an identity, in place of one of the same issuer. Throws Invalid
 * for somebody who is not in the company any more, and for an address of a domain that it has not proven; Conflict for an identity of
 * another person.
 */
export async function linkIdentity(
  ctx: Context,
  companyId: string,
  identity: Verified,
  userId: string,
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const members = await lockMembers(tx, companyId, identity);
    const member = members.find(({ uuid }) => uuid === userId);
    if (!member) throw new Invalid([], messages.ssoNotInvited);
    const linkedId = await findIdentityUser(tx.db, companyId, identity);
    if (linkedId === userId) return;
    if (linkedId !== undefined) throw new Conflict(messages.ssoLinkedToOther);
    const former = (await listIdentities(tx.db, companyId, userId)).filter(
      ({ issuer }) => issuer === identity.issuer,
    );
    const marks = former.map((replaced) => markOfIdentity(companyId, replaced));
    await insertMarks(tx.db, companyId, { userId, marks, at: ctx.now() });
    await deleteIdentity(tx.db, companyId, { issuer: identity.issuer, userId });
    if (!isSameMail(member.email, identity.email))
      await noteAddress(ctx, tx, companyId, { member, identity });
    await link(ctx, tx, { companyId, member, identity });
  });
}

/** Locks the people of a company and returns them. Throws Invalid for an address of a domain that the company has not proven. */
async function lockMembers(tx: Tx, companyId: string, { email }: Verified): Promise<MemberRow[]> {
  await lockCompany(tx.db, companyId);
  const domain = mailDomainOf(email);
  const domains = await listDomains(tx.db, companyId);
  if (!Email.safeParse(email).success || !domains.some((row) => row.domain === domain && row.verified_at))
    throw new Invalid([], messages.ssoForeignDomain);
  return listMembers(tx.db, companyId);
}

const isSameMail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * The person of the company with this address, who is linked from now on; undefined if there is none. Throws Invalid for an address of
 * several people, and for a person who is another subject there: an address may be given to somebody else.
 */
async function linkByMail(
  ctx: Context,
  tx: Tx,
  { companyId, members, identity }: { companyId: string; members: MemberRow[]; identity: Verified },
): Promise<string | undefined> {
  const [member, ...others] = members.filter(({ email }) => isSameMail(email, identity.email));
  if (!member) return undefined;
  const { issuer } = identity;
  const isTaken = await hasIdentity(tx.db, companyId, { issuer, userId: member.uuid });
  if (others.length > 0 || isTaken) throw new Invalid([], messages.ssoLinkFirst);
  await link(ctx, tx, { companyId, member, identity });
  return member.uuid;
}

async function noteAddress(
  { now }: Context,
  { db }: Tx,
  companyId: string,
  { member, identity }: { member: MemberRow; identity: Verified },
): Promise<void> {
  const marks = [markOfAddress(companyId, identity.email)];
  await insertMarks(db, companyId, { userId: member.uuid, marks, at: now() });
}

/**
 * The role of somebody who joins, of their open invitation or of the settings. Throws Invalid for somebody who may not: who left the
 * company or was removed, whatever address or identity they had there, comes back by an invitation only, and nobody joins a suspended
 * company without one.
 */
async function roleOfNewcomer(
  ctx: Context,
  tx: Tx,
  { provider, identity, isLinked }: { provider: ProviderRow; identity: Verified; isLinked: boolean },
): Promise<CompanyRole> {
  const companyId = provider.company_uuid;
  const open = await listOpenInvitations(tx.db, companyId, ctx.now());
  const invitation = open.find(({ email }) => isSameMail(email, identity.email));
  const marks = [markOfAddress(companyId, identity.email), markOfIdentity(companyId, identity)];
  if (invitation && (await spendInvitation(tx.db, companyId, invitation.uuid, ctx.now()))) {
    await deleteMarks(tx.db, companyId, marks);
    return invitation.role;
  }
  const mayJoin = provider.may_join && !isLinked && !(await isSuspended(tx.db, companyId));
  if (!mayJoin || (await isOfFormerPerson(tx.db, companyId, marks)))
    throw new Invalid([], messages.ssoNotInvited);
  return provider.role;
}

/** Creates an account without a password. */
async function createPerson(
  ctx: Context,
  tx: Tx,
  { companyId, identity, role }: { companyId: string; identity: Verified; role: CompanyRole },
): Promise<string> {
  const at = ctx.now();
  const userId = uuidv7();
  const { email, issuer, subject } = identity;
  const person = {
    email,
    first_name: nameOf(identity.firstName) ?? email.split('@')[0]!.slice(0, limits.personNameMax),
    last_name: nameOf(identity.lastName) ?? '',
    contact: email.slice(0, limits.contactMax),
  };
  const account = { uuid: userId, ...person, password_hash: hashOfNothing(), avatar_file_uuid: null };
  let login = freshLogin(email);
  while (
    !(await insertUser(tx.db, companyId, {
      ...account,
      login,
      email_confirmed_at: at,
      created_at: at,
      updated_at: at,
    }))
  )
    login = freshLogin(email);
  await insertMembership(tx.db, companyId, { userId, role, at });
  await insertIdentity(tx.db, companyId, { issuer, subject, userId, at });
  const fields = { ...person, role, sign_on: issuer };
  await recordJoining(ctx, tx, { companyId, userId, login, fields });
  return userId;
}

/** A name that a provider gives, if it is one that people may have here. */
function nameOf(text: string): string | null {
  return requiredName(limits.personNameMax).safeParse(text).data ?? null;
}

const LOGIN_LETTERS = 8;

/** A login that hardly anybody has: letters of the address, and eight at random. */
function freshLogin(email: string): string {
  const letters = email
    .split('@')[0]!
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')
    .slice(0, limits.loginPartMax);
  const random = Array.from({ length: LOGIN_LETTERS }, () => String.fromCodePoint(97 + randomInt(26)));
  return [letters, random.join('')].filter(Boolean).join('.');
}

async function link(
  ctx: Context,
  tx: Tx,
  { companyId, member, identity }: { companyId: string; member: MemberRow; identity: Verified },
): Promise<void> {
  const { issuer, subject, email } = identity;
  const { uuid: userId, login } = member;
  await insertIdentity(tx.db, companyId, { issuer, subject, userId, at: ctx.now() });
  // The provider has verified it.
  if (isSameMail(member.email, email))
    await confirmPersonAddress(tx.db, userId, { email: member.email, at: ctx.now() });
  await recordChange(
    ctx,
    tx,
    { companyId, userId },
    {
      entity: 'user',
      uuid: userId,
      name: login,
      action: 'update',
      before: { sign_on: null },
      after: { sign_on: `${issuer} (${email})` },
    },
  );
}
