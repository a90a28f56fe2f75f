import { type OwnSso, SSO_SIGN_IN_MINUTES, type SsoOutcome } from '@bidwell/contract/accounts/single-sign-on';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { createHmac, randomInt } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { Conflict, Invalid } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import {
  type Identity,
  type OidcClient,
  OidcFailure,
  type SignInSecrets,
} from '../../../platform/oidc/identity-providers.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { hashToken, newSecretToken } from '../sessions/access-tokens.ts';
import { type OpenedSession, startSession } from '../service.ts';
import type { LoginClient } from '../sign-in/login-client.ts';
import { requireConfirmed } from '../sign-in/confirmation.ts';
import { mailDomainOf } from './domains.ts';
import {
  type ProviderRow,
  clientSecretPlace,
  findCompanyOfDomain,
  findProvider,
  listDomains,
} from './provider-store.ts';
import {
  hasIdentity,
  insertSignIn,
  spendSignIn,
  deleteIdentity,
  findIdentityUser,
  insertIdentity,
  listIdentities,
} from './sign-in-store.ts';
import { redirectUriOf } from './settings.ts';
import { PEOPLE_MAX } from '@bidwell/contract/accounts/people';
import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { Email } from '@bidwell/contract/accounts/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { requiredName } from '@bidwell/contract/lib/wire';
import { v7 as uuidv7 } from 'uuid';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { hashOfNothing } from '../passwords/password.ts';
import { listOpenInvitations, spendInvitation } from '../people/invitations.ts';
import { recordJoining } from '../people/joining.ts';
import {
  deleteMarks,
  insertMarks,
  isOfFormerPerson,
  markOfAddress,
  markOfIdentity,
} from '../people/former-people-store.ts';
import {
  type MemberRow,
  insertMembership,
  isSuspended,
  listMembers,
  lockCompany,
} from '../people/membership-store.ts';
import { confirmPersonAddress, insertUser } from '../store.ts';

/** A sign-in that was begun: where the browser goes, and the secret that binds the answer to it. */
export interface StartedSignIn {
  location: string;
  browserSecret: string;
}

/**
 * Begins single sign-on for a mail address, of which only the domain is looked up. Throws Invalid where no company has
 * proven it, and where the provider cannot be used.
 */
export async function startSso(ctx: Context, { email }: { email: string }): Promise<StartedSignIn> {
  const companyId = await findCompanyOfDomain(ctx.db, mailDomainOf(email));
  const provider = companyId && (await findProvider(ctx.db, companyId));
  if (!provider) throw new Invalid([{ field: 'email', message: accountMessages.ssoUnknown }]);
  return begin(ctx, provider, { email, linkUserId: null });
}

/**
 * Begins to link the actor's account with an identity at the company's provider, which signs them in from then on. Throws Conflict where
 * the company has none; Invalid where it cannot be used; Forbidden without a recent proof of who they are.
 */
export async function linkSso(ctx: Context, actor: Session): Promise<StartedSignIn> {
  requirePermission(actor, 'sign_in.write');
  const provider = await findProvider(ctx.db, actor.companyId);
  if (!provider) throw new Conflict(accountMessages.ssoNotSetUp);
  await requireConfirmed(ctx, actor, ctx.db);
  return begin(ctx, provider, { email: null, linkUserId: actor.userId });
}

/** Whether the actor's company has single sign-on, and whether the actor is linked with an identity there. */
export async function readOwnSso(ctx: Context, actor: Session): Promise<OwnSso> {
  requirePermission(actor, 'sign_in.read');
  const { companyId, userId } = actor;
  const provider = await findProvider(ctx.db, companyId);
  if (!provider) return { is_offered: false, is_linked: false };
  const { issuer } = provider;
  return { is_offered: true, is_linked: await hasIdentity(ctx.db, companyId, { issuer, userId }) };
}

async function begin(
  ctx: Context,
  provider: ProviderRow,
  { email, linkUserId }: { email: string | null; linkUserId: string | null },
): Promise<StartedSignIn> {
  const companyId = provider.company_uuid;
  const state = newSecretToken();
  const browserSecret = newSecretToken();
  const location = await atProvider(ctx, companyId, () =>
    ctx.identityProviders.authorizationUrl(clientOf(ctx, provider), {
      redirectUri: redirectUriOf(ctx, companyId),
      secrets: secretsOf(state, browserSecret),
      email,
    }),
  );
  const now = ctx.now();
  await insertSignIn(ctx.db, companyId, {
    state_hash: hashToken(state),
    browser_hash: hashToken(browserSecret),
    issuer: provider.issuer,
    link_user_uuid: linkUserId,
    created_at: now,
    expires_at: new Date(now.getTime() + SSO_SIGN_IN_MINUTES * 60_000),
  });
  return { location, browserSecret };
}

/** A completed sign-in: a session, or none where an account was linked. */
type Finished = { [Key in keyof SsoOutcome]: OpenedSession | null };

/**
 * Completes a sign-in in the browser that began it, `client`, by the parameters from the provider's redirect. Throws Invalid where the sign-in is not one of
 * this browser under way, where the provider or the person is not accepted; Conflict for an identity of someone else, and a full company.
 */
export async function finishSso(
  ctx: Context,
  {
    companyId,
    query,
    browserSecret,
    client,
  }: { companyId: string; query: string; browserSecret: string | undefined; client: LoginClient },
): Promise<Finished> {
  const [state = '', ...others] = new URLSearchParams(query).getAll('state');
  if (browserSecret === undefined || others.length > 0) throw new Invalid([], accountMessages.ssoState);
  const hashes = { stateHash: hashToken(state), browserHash: hashToken(browserSecret) };
  const signIn = await spendSignIn(ctx.db, companyId, hashes, ctx.now());
  const provider = await findProvider(ctx.db, companyId);
  // The provider of the sign-in may have been replaced meanwhile: its answer must not go to another one.
  if (!signIn || provider?.issuer !== signIn.issuer) throw new Invalid([], accountMessages.ssoState);
  const identity = await atProvider(ctx, companyId, () =>
    ctx.identityProviders.identify(clientOf(ctx, provider), {
      redirectUri: redirectUriOf(ctx, companyId),
      query,
      secrets: secretsOf(state, browserSecret),
    }),
  );
  const verified = { ...identity, email: verifiedEmailOf(identity) };
  if (signIn.link_user_uuid !== null) {
    await linkIdentity(ctx, companyId, verified, signIn.link_user_uuid);
    return { session: null };
  }
  const userId = await personOfIdentity(ctx, provider, verified);
  return { session: await startSession(ctx, { userId, companyId, bySso: true }, client) };
}

function verifiedEmailOf({ email, isEmailVerified }: Identity): string {
  if (email === null || !isEmailVerified) throw new Invalid([], accountMessages.ssoMailUnverified);
  return email;
}

/**
 * The nonce and the verifier of a sign-in come from the browser's secret, so that the database has nothing by which a sign-in could be
 * completed.
 */
function secretsOf(state: string, browserSecret: string): SignInSecrets {
  const derived = (purpose: string) =>
    createHmac('sha256', browserSecret).update(`bidwell sso ${purpose} ${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}

function clientOf(ctx: Context, provider: ProviderRow): OidcClient {
  const { company_uuid: companyId, issuer, client_id: clientId, client_secret: secret } = provider;
  if (secret === null) throw new Invalid([], accountMessages.ssoUnavailable);
  return {
    companyId,
    issuer,
    clientId,
    clientSecret: ctx.encryption.decrypt(secret, clientSecretPlace(companyId)),
  };
}

const SENTENCES = {
  unavailable: accountMessages.ssoUnavailable,
  denied: accountMessages.ssoDenied,
  rejected: accountMessages.ssoRejected,
};

/** Runs calls to a provider; throws Invalid with a sentence for a person if one fails. */
async function atProvider<T>(ctx: Context, companyId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    ctx.log.info({ err: error, companyId, reason: error.reason }, 'single sign-on failed at the provider');
    throw new Invalid([], SENTENCES[error.reason]);
  }
}

/** An identity whose address the provider has verified. */
type Verified = Identity & { email: string };

/**
 * The person of the company who signed in. A linked identity determines the person. At the first sign-in, an address of exactly one
 * person of the company links them; otherwise the person joins if they are invited or people may join by signing in. Throws Invalid for
 * anyone else, and for an address of a domain that the company has not proven; Conflict for a full company.
 */
async function personOfIdentity(ctx: Context, provider: ProviderRow, identity: Verified): Promise<string> {
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
    if (members.length >= PEOPLE_MAX) throw new Conflict(accountApiMessages.peopleMax(PEOPLE_MAX));
    if (linkedId === undefined) return createPerson(ctx, tx, { companyId, identity, role });
    await insertMembership(tx.db, companyId, { userId: linkedId, role, at: ctx.now() });
    const fields = { role, sign_on: identity.issuer };
    await recordJoining(ctx, tx, { companyId, userId: linkedId, login: identity.email, fields });
    return linkedId;
  });
}

/**
 * Links a person of the company, who began it in a session of theirs, with an identity, in place of one of the same issuer. Throws Invalid
 * for a person who is not in the company any more, and for an address of a domain that it has not proven; Conflict for an identity of
 * another person.
 */
async function linkIdentity(
  ctx: Context,
  companyId: string,
  identity: Verified,
  userId: string,
): Promise<void> {
  await transact(ctx.db, async (tx) => {
    const members = await lockMembers(tx, companyId, identity);
    const member = members.find(({ uuid }) => uuid === userId);
    if (!member) throw new Invalid([], accountMessages.ssoNotInvited);
    const linkedId = await findIdentityUser(tx.db, companyId, identity);
    if (linkedId === userId) return;
    if (linkedId !== undefined) throw new Conflict(accountMessages.ssoLinkedToOther);
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
    throw new Invalid([], accountMessages.ssoForeignDomain);
  return listMembers(tx.db, companyId);
}

const isSameMail = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/**
 * The person of the company with this address, who is linked from now on; undefined if there is none. Throws Invalid for an address of
 * several people, and for a person linked with another subject of this issuer: a provider may give an address to another person.
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
  if (others.length > 0 || isTaken) throw new Invalid([], accountMessages.ssoLinkFirst);
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
 * The role of a joining person, from their open invitation or the settings. Throws Invalid for a person who may not join: one who left the
 * company or was removed, under any address or identity, comes back by an invitation only, and no one joins a suspended
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
    throw new Invalid([], accountMessages.ssoNotInvited);
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

/** A login that is very unlikely to be taken: letters of the address, and eight at random. */
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
  const author = { companyId, userId };
  await recordChange(ctx, tx, author, {
    entity: 'user',
    uuid: userId,
    name: login,
    before: { sign_on: null },
    after: { sign_on: `${issuer} (${email})` },
  });
}
