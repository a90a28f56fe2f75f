import { type CompanyRole, mayGiveRole } from '@bidwell/contract/accounts/permission';
import {
  INVITATIONS_MAX,
  INVITATIONS_PER_HOUR,
  INVITATION_DAYS,
  type Invitation,
  type InvitationInput,
  type NewInvitation,
  PEOPLE_MAX,
} from '@bidwell/contract/accounts/people';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Forbidden, NotFound, RateLimited } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { consoleUrlOf } from '../../../platform/brand/page-brand.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { countMail, mailKind } from '../../messaging/public.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { findUser } from '../store.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import { type LockedPeople, lockPeople } from './membership-store.ts';
import type { Config } from '../../../config/config.ts';
import { escapedHtml } from '../../../platform/mail/mail-page.ts';
import type { Mail } from '../../../platform/mail/mailer.ts';
import { readSignedIds, signedIds } from '../../../platform/mail/signed-ids.ts';
import { unlinked } from '../../../platform/mail/unlinked.ts';
import type { Selectable } from 'kysely';
import type { InvitationTable } from '../../../platform/postgres/schema.ts';
import { personName } from '../../../platform/postgres/person-name.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Invites a person by mail address, in place of an earlier open invitation of it. The response has the link. Where the server sends
 * mail and the actor has confirmed their own address, a link goes to the address too, which also confirms it. Throws Forbidden for a role
 * with more than the actor's; Conflict for a person who is in the company, and beyond the limits of people and open invitations;
 * RateLimited beyond the invitations of an hour.
 */
export async function invite(
  ctx: Context,
  actor: Session,
  { email, role }: InvitationInput,
): Promise<NewInvitation> {
  requirePermission(actor, 'people.write');
  const token = newSecretToken();
  const now = ctx.now();
  const invitation = {
    uuid: uuidv7(),
    email,
    role,
    token_hash: hashToken(token),
    invited_by: actor.userId,
    created_at: now,
    expires_at: new Date(now.getTime() + INVITATION_DAYS * DAY_MS),
  };
  const made = await transact(ctx.db, async (tx) => {
    const people = await lockPeople(tx, actor, 'people.write');
    if (!mayGiveRole(people.ownRole, role)) throw new Forbidden(messages.roleForbids);
    await makeRoomFor(ctx, tx, actor, { email, people });
    await insertInvitation(tx.db, actor.companyId, invitation);
    await recordInvitation(ctx, tx, actor, { companyName: people.companyName, after: invitation });
    const sender = people.members.find(({ uuid }) => uuid === actor.userId)!;
    const invitedBy = [sender.first_name, sender.last_name].filter(Boolean).join(' ');
    const mail = { token, invitation, companyName: people.companyName, invitedBy };
    return { invitedBy, isMailed: await queueMail(ctx, tx, actor, mail) };
  });
  // The token is in the fragment, which browsers send to no server and in no referrer.
  const link = `${consoleUrlOf(await ctx.brand.current(), ctx.config)}/invitation#${token}`;
  const listed = { ...invitation, invited_by_name: made.invitedBy };
  return { ...presentInvitation(listed), link, is_mailed: made.isMailed };
}

/** The token of the link that is mailed: the token of the link that the inviting person gets, and a signature that only the address gets. Pure. */
const mailedToken = (
  { signingSecret }: Pick<Config, 'signingSecret'>,
  token: string,
  { uuid }: { uuid: string },
): string => `${token}.${signedIds(signingSecret, 'invitation', [uuid])}`;

/** Mails of invitations that are open. */
export const invitationMails = mailKind<{
  token: string;
  uuid: string;
  companyName: string;
  invitedBy: string;
}>({
  name: 'invitation',
  lane: 'awaited',
  async compose({ db, config, brand, now }, { token, uuid, companyName, invitedBy }) {
    if (!(await findOpenInvitation(db, hashToken(token), now()))) return null;
    const current = await brand.current();
    const link = `${consoleUrlOf(current, config)}/invitation#${mailedToken(config, token, { uuid })}`;
    const product = current.settings.name;
    return invitationMail({ product, companyName, invitedBy, link, days: INVITATION_DAYS });
  },
});

/** Queues the mail of an invitation, where the server sends mail and the actor's own address is confirmed. False where it does not. */
async function queueMail(
  ctx: Context,
  tx: Tx,
  actor: Session,
  {
    token,
    invitation,
    companyName,
    invitedBy,
  }: {
    token: string;
    invitation: Pick<InvitationRow, 'uuid' | 'email' | 'created_at' | 'expires_at'>;
    companyName: string;
    invitedBy: string;
  },
): Promise<boolean> {
  const { companyId, userId } = actor;
  const { uuid, email: to, created_at: at } = invitation;
  if (!ctx.mailer || (await findUser(tx.db, companyId, userId))?.email_confirmed_at == null) return false;
  if (!(await countMail(tx.db, { to, kind: 'invitation', at }))) return false;
  const content = { token, uuid, companyName, invitedBy };
  await invitationMails.queue(ctx, tx, {
    about: uuid,
    companyId,
    to,
    content,
    expiresAt: invitation.expires_at,
  });
  return true;
}

/** Revokes the address's earlier invitation, and throws where the company may not make another one. */
async function makeRoomFor(
  ctx: Context,
  tx: Tx,
  actor: Session,
  { email, people }: { email: string; people: LockedPeople },
): Promise<void> {
  const { companyId } = actor;
  const now = ctx.now();
  const isSame = (other: { email: string }) => other.email.toLowerCase() === email.toLowerCase();
  if (people.members.some(isSame)) {
    const message = accountApiMessages.inCompanyAlready;
    throw new Conflict(message, [{ field: 'email', message }]);
  }
  const recent = await countInvitationsSince(tx.db, companyId, new Date(now.getTime() - HOUR_MS));
  if (recent >= INVITATIONS_PER_HOUR)
    throw new RateLimited(accountApiMessages.invitationRate(INVITATIONS_PER_HOUR), HOUR_MS / 1000);
  const open = await listOpenInvitations(tx.db, companyId, now);
  const replaced = open.filter(isSame);
  await revokeAll(ctx, tx, actor, { invitations: replaced, companyName: people.companyName });
  const remaining = open.length - replaced.length;
  if (remaining >= INVITATIONS_MAX) throw new Conflict(accountApiMessages.invitationsMax(INVITATIONS_MAX));
  if (people.members.length + remaining >= PEOPLE_MAX)
    throw new Conflict(accountApiMessages.peopleMax(PEOPLE_MAX));
}

/** Revokes an open invitation, whose link is of no use from then on. Throws NotFound. */
export async function revokeInvitation(
  ctx: Context,
  actor: Session,
  { uuid }: { uuid: string },
): Promise<void> {
  requirePermission(actor, 'people.remove');
  await transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'people.remove');
    const open = await listOpenInvitations(tx.db, actor.companyId, ctx.now());
    const invitations = open.filter((invitation) => invitation.uuid === uuid);
    if (invitations.length === 0) throw new NotFound('Invitation');
    await revokeAll(ctx, tx, actor, { invitations, companyName });
  });
}

/** Revokes the open invitations of a person that their new role, or its absence, does not allow. */
export async function revokeInvitationsOf(
  ctx: Context,
  tx: Tx,
  actor: Session,
  { userId, role, people }: { userId: string; role: CompanyRole | null; people: LockedPeople },
): Promise<void> {
  const open = await listOpenInvitations(tx.db, actor.companyId, ctx.now());
  const invitations = open.filter(
    (invitation) =>
      invitation.invited_by === userId && (role === null || !mayGiveRole(role, invitation.role)),
  );
  await revokeAll(ctx, tx, actor, { invitations, companyName: people.companyName });
}

async function revokeAll(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { invitations, companyName }: { invitations: readonly InvitationRow[]; companyName: string },
): Promise<void> {
  const uuids = invitations.map(({ uuid }) => uuid);
  await revokeInvitationRows(tx.db, actor.companyId, uuids, ctx.now());
  for (const before of invitations) await recordInvitation(ctx, tx, actor, { companyName, before });
}

/** Logs an invitation as a change of the company, whose kinds of entities earlier releases know. */
async function recordInvitation(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  {
    companyName,
    before,
    after,
  }: {
    companyName: string;
    before?: Pick<InvitationRow, 'email' | 'role'>;
    after?: Pick<InvitationRow, 'email' | 'role'>;
  },
): Promise<void> {
  const text = (invitation: typeof before) =>
    invitation ? `${invitation.email} (${invitation.role})` : null;
  await recordChange(ctx, tx, actor, {
    entity: 'company',
    uuid: actor.companyId,
    name: companyName,
    before: { invitation: text(before) },
    after: { invitation: text(after) },
  });
}

export function presentInvitation(
  row: Omit<InvitationRow, 'company_uuid' | 'revoked_at' | 'accepted_at'> & { invited_by_name: string },
): Invitation {
  return {
    uuid: row.uuid,
    email: row.email,
    role: row.role,
    invited_by: row.invited_by_name,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}

/** The variables of an invitation mail; the names are chosen by people. */
interface Invited {
  /** Name of the product. */
  product: string;
  companyName: string;
  invitedBy: string;
  link: string;
  days: number;
}

/** The mail of an invitation. The link holds only URL-safe characters. */
function invitationMail({ product, companyName, invitedBy, link, days }: Invited): Omit<Mail, 'to'> {
  const first = `${unlinked(invitedBy)} invites you to the company “${unlinked(companyName)}” in ${product}.`;
  const second = `Open this link within ${days} days to join:`;
  const last = 'If you do not know them, ignore this mail.';
  return {
    // Without names: anyone may call a company anything.
    subject: `You are invited to a company in ${product}`,
    text: `${first}\n${second}\n\n${link}\n\n${last}\n`,
    html: `<p>${escapedHtml(first)}<br>${second}</p>\n<p><a href="${link}">${link}</a></p>\n<p>${last}</p>\n`,
  };
}

/** The token of an invitation without its signature, and the id of the invitation with whose mail it came; undefined for another. Pure. */
export function readInvitationToken(
  { signingSecret, previousSigningSecret }: Pick<Config, 'signingSecret' | 'previousSigningSecret'>,
  given: string,
): { token: string; mailedTo: string | undefined } {
  const [token = '', signature = ''] = given.split('.', 2);
  const secrets = [signingSecret, ...(previousSigningSecret === null ? [] : [previousSigningSecret])];
  return { token, mailedTo: readSignedIds(secrets, 'invitation', signature)?.[0] };
}

export type InvitationRow = Selectable<InvitationTable>;

type Listed = InvitationRow & { invited_by_name: string };

const inviter = personName('users');

/** The open invitations of a company, newest first. */
export async function listOpenInvitations(db: Db, companyId: string, now: Date): Promise<Listed[]> {
  return db
    .selectFrom('invitations')
    .innerJoin('users', 'users.uuid', 'invitations.invited_by')
    .selectAll('invitations')
    .select(inviter.as('invited_by_name'))
    .where('invitations.company_uuid', '=', companyId)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.uuid', 'desc')
    .execute();
}

/** Number of invitations that a company has made since a time, in any state. */
async function countInvitationsSince(db: Db, companyId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((eb) => eb.fn.countAll<string | number>().as('count'))
    .where('company_uuid', '=', companyId)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function insertInvitation(
  db: Db,
  companyId: string,
  invitation: Omit<InvitationRow, 'company_uuid' | 'revoked_at' | 'accepted_at'>,
): Promise<void> {
  await db
    .insertInto('invitations')
    .values({ ...invitation, company_uuid: companyId })
    .execute();
}

/** Revokes open invitations of a company by their ids. */
async function revokeInvitationRows(
  db: Db,
  companyId: string,
  uuids: readonly string[],
  at: Date,
): Promise<void> {
  if (uuids.length === 0) return;
  await db
    .updateTable('invitations')
    .set({ revoked_at: at })
    .where('company_uuid', '=', companyId)
    .where('uuid', 'in', [...uuids])
    .execute();
}

/** The open invitation of a token, with its company. Not restricted to a company, since the token determines it. */
export async function findOpenInvitation(
  db: Db,
  tokenHash: string,
  now: Date,
): Promise<(InvitationRow & { company_name: string }) | undefined> {
  return db
    .selectFrom('invitations')
    .innerJoin('companies', 'companies.uuid', 'invitations.company_uuid')
    .selectAll('invitations')
    .select('companies.name as company_name')
    .where('token_hash', '=', tokenHash)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** Marks an open invitation as accepted. False if it is not open any more: of two callers one succeeds. */
export async function spendInvitation(db: Db, companyId: string, uuid: string, now: Date): Promise<boolean> {
  const spent = await db
    .updateTable('invitations')
    .set({ accepted_at: now })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('revoked_at', 'is', null)
    .where('accepted_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return spent.numUpdatedRows === 1n;
}
