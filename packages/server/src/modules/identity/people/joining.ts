import {
  COMPANIES_MAX,
  type InvitationToken,
  type InvitedRegistration,
  type OfferedInvitation,
  type OwnCompany,
  PEOPLE_MAX,
} from '@bidwell/contract/accounts/people';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { sendConfirmation } from '../address-confirmation.ts';
import { hashPassword, assertNotGuessable } from '../passwords/password.ts';
import { hashToken } from '../sessions/access-tokens.ts';
import { mailDomainOf } from '../sso/domains.ts';
import { requireOwnLogin } from '../sso/settings.ts';
import { requiresSsoOf } from '../sso/provider-store.ts';
import { confirmPersonAddress, findUser, insertUser, lockUser } from '../store.ts';
import {
  readInvitationToken,
  type InvitationRow,
  findOpenInvitation,
  spendInvitation,
} from './invitations.ts';
import { deleteMarks, markOfAddress } from './former-people-store.ts';
import { companiesOfUser, insertMembership, listMembers, lockCompany } from './membership-store.ts';

/** Reads the invitation of a link, for a caller who has the link. Throws Invalid for one that cannot be accepted. */
export async function readInvitation(ctx: Context, { token }: InvitationToken): Promise<OfferedInvitation> {
  const { invitation } = await openInvitation(ctx, token);
  const { company_name, email, role, expires_at } = invitation;
  const needs_single_sign_on = await needsSso(ctx.db, invitation);
  return { company_name, email, role, expires_at: expires_at.toISOString(), needs_single_sign_on };
}

/**
 * Accepts an invitation for a caller at `address` who has no account yet: creates it with the mail address of the invitation.
 * Throws Invalid for an invitation that cannot be accepted, and for a password that is easy to guess; Conflict if the login is
 * taken, and where the company requires single sign-on of the address; RateLimited and Unavailable as {@link hashPassword}.
 */
export async function registerInvited(
  ctx: Context,
  { token, password, ...person }: InvitedRegistration,
  address: string,
  signal?: AbortSignal,
): Promise<{ userId: string; companyId: string }> {
  const { invitation, isMailed } = await openInvitation(ctx, token);
  const { email, role } = invitation;
  // Asked again below, since the setting may change meanwhile; who is refused takes no place in the queue of passwords.
  if (await needsSso(ctx.db, invitation)) throw new Conflict(accountMessages.ssoInvited);
  assertNotGuessable(password, { login: person.login, email });
  const passwordHash = await hashPassword(password, address, signal);
  const companyId = invitation.company_uuid;
  const userId = uuidv7();
  await transact(ctx.db, async (tx) => {
    await spend(ctx, tx, invitation);
    if (await needsSso(tx.db, invitation)) throw new Conflict(accountMessages.ssoInvited);
    const now = ctx.now();
    const isInserted = await insertUser(tx.db, companyId, {
      uuid: userId,
      ...person,
      email,
      email_confirmed_at: isMailed ? now : null,
      password_hash: passwordHash,
      avatar_file_uuid: null,
      created_at: now,
      updated_at: now,
    });
    if (!isInserted) {
      const message = accountApiMessages.loginTaken;
      throw new Conflict(message, [{ field: 'login', message }]);
    }
    await insertMembership(tx.db, companyId, { userId, role, at: now });
    await recordJoining(ctx, tx, {
      companyId,
      userId,
      login: person.login,
      fields: { ...person, email, role },
    });
  });
  // The inviting person has a link too, so a link without the signature does not prove the address.
  if (!isMailed) await sendConfirmation(ctx, { kind: 'person_address', uuid: userId }, email);
  return { userId, companyId };
}

/**
 * Accepts an invitation as the actor, whose mail address it must be for. Throws Invalid for an invitation that cannot be accepted or
 * is for another address; Conflict for a person who is in the company, and beyond the most companies of a person; Forbidden in a session by
 * single sign-on.
 */
export async function acceptInvitation(
  ctx: Context,
  actor: Session,
  { token }: InvitationToken,
): Promise<OwnCompany> {
  requirePermission(actor, 'membership.write');
  requireOwnLogin(actor);
  const { invitation, isMailed } = await openInvitation(ctx, token);
  const { role, company_uuid: companyId, company_name: name } = invitation;
  const { userId } = actor;
  return transact(ctx.db, async (tx) => {
    await spend(ctx, tx, invitation);
    // Against other invitations that they accept at once.
    await lockUser(tx.db, userId);
    const user = await findUser(tx.db, actor.companyId, userId);
    if (!user) throw new NotFound('User');
    if (user.email.toLowerCase() !== invitation.email.toLowerCase())
      throw tokenError(accountMessages.invitationOtherMail);
    const companies = await companiesOfUser(tx.db, userId);
    if (companies.length >= COMPANIES_MAX) throw new Conflict(accountApiMessages.companiesMax(COMPANIES_MAX));
    if (!(await insertMembership(tx.db, companyId, { userId, role, at: ctx.now() })))
      throw new Conflict(accountApiMessages.youAreInCompany);
    await recordJoining(ctx, tx, { companyId, userId, login: user.login, fields: { role } });
    if (isMailed) await confirmPersonAddress(tx.db, userId, { email: user.email, at: ctx.now() });
    const joined = (await companiesOfUser(tx.db, userId)).find(({ uuid }) => uuid === companyId);
    const is_suspended = (joined?.suspended_at ?? null) !== null;
    return { uuid: companyId, name, role, is_current: false, is_suspended };
  });
}

/** Whether the invited person has to sign in at the company's provider. */
async function needsSso(
  db: Db,
  { company_uuid: companyId, email, role }: Pick<InvitationRow, 'company_uuid' | 'email' | 'role'>,
): Promise<boolean> {
  return role !== 'owner' && requiresSsoOf(db, companyId, mailDomainOf(email));
}

/** The invitation of a token, and whether the token is the one that was mailed to its address. */
async function openInvitation(ctx: Context, given: string) {
  const { token, mailedTo } = readInvitationToken(ctx.config, given);
  const invitation = await findOpenInvitation(ctx.db, hashToken(token), ctx.now());
  if (!invitation) throw tokenError(accountMessages.invitationLink);
  return { invitation, isMailed: invitation.uuid === mailedTo };
}

/** Uses up an invitation, under the lock of its company. Throws Invalid if it is not open any more; Conflict for a full company. */
async function spend(
  ctx: Context,
  tx: Tx,
  { uuid, company_uuid: companyId, email }: InvitationRow,
): Promise<void> {
  await lockCompany(tx.db, companyId);
  if (!(await spendInvitation(tx.db, companyId, uuid, ctx.now())))
    throw tokenError(accountMessages.invitationLink);
  await deleteMarks(tx.db, companyId, [markOfAddress(companyId, email)]);
  const members = await listMembers(tx.db, companyId);
  if (members.length >= PEOPLE_MAX) throw new Conflict(accountApiMessages.peopleMax(PEOPLE_MAX));
}

const tokenError = (message: string) => new Invalid([{ field: 'token', message }], message);

/** Logs that a person joined, in their own name. */
export async function recordJoining(
  ctx: Context,
  tx: Tx,
  {
    companyId,
    userId,
    login,
    fields,
  }: { companyId: string; userId: string; login: string; fields: Readonly<Record<string, unknown>> },
): Promise<void> {
  const author = { companyId, userId };
  await recordChange(ctx, tx, author, { entity: 'user', uuid: userId, name: login, after: fields });
}
