import { type OwnSso, SSO_SIGN_IN_MINUTES, type SsoOutcome } from '@bidwell/contract/accounts/single-sign-on';
import { messages } from '@bidwell/contract/text/messages';
import { createHmac } from 'node:crypto';
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
import type { LoginClient } from '../sign-in/client.ts';
import { requireConfirmed } from '../sign-in/confirmation.ts';
import { linkIdentity, personOfIdentity } from './identity.ts';
import { mailDomainOf } from './mail-domain.ts';
import { type ProviderRow, clientSecretPlace, findCompanyOfDomain, findProvider } from './provider-store.ts';
import { hasIdentity, insertSignIn, spendSignIn } from './sign-in-store.ts';
import { redirectUriOf } from './settings.ts';

/** A sign-in that was begun: where the browser goes, and the secret that binds the answer to it. */
export interface StartedSignIn {
  location: string;
  browserSecret: string;
}

/**
 * Begins single sign-on of somebody with a mail address, of whom nothing is looked up but the domain. Throws Invalid where no company has
 * proven it, and where the provider cannot be used.
 */
export async function startSso(ctx: Context, { email }: { email: string }): Promise<StartedSignIn> {
  const companyId = await findCompanyOfDomain(ctx.db, mailDomainOf(email));
  const provider = companyId && (await findProvider(ctx.db, companyId));
  if (!provider) throw new Invalid([{ field: 'email', message: messages.ssoUnknown }]);
  return begin(ctx, provider, { email, linkUserId: null });
}

/**
 * Begins to link the actor's account with an identity at the company's provider, which signs them in from then on. Throws Conflict where
 * the company has none; Invalid where it cannot be used; Forbidden without a recent proof of who they are.
 */
export async function linkSso(ctx: Context, actor: Session): Promise<StartedSignIn> {
  requirePermission(actor, 'sign_in.write');
  const provider = await findProvider(ctx.db, actor.companyId);
  if (!provider) throw new Conflict(messages.ssoNotSetUp);
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
 * Completes a sign-in in the browser that began it, `client`, by what the provider sent it back with. Throws Invalid where the sign-in is not one of
 * this browser under way, where the provider or the person is not accepted; Conflict for an identity of somebody else, and a full company.
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
  if (browserSecret === undefined || others.length > 0) throw new Invalid([], messages.ssoState);
  const hashes = { stateHash: hashToken(state), browserHash: hashToken(browserSecret) };
  const signIn = await spendSignIn(ctx.db, companyId, hashes, ctx.now());
  const provider = await findProvider(ctx.db, companyId);
  // The provider of the sign-in may have been replaced meanwhile: its answer must not go to another one.
  if (!signIn || provider?.issuer !== signIn.issuer) throw new Invalid([], messages.ssoState);
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
  if (email === null || !isEmailVerified) throw new Invalid([], messages.ssoMailUnverified);
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
  if (secret === null) throw new Invalid([], messages.ssoUnavailable);
  return {
    companyId,
    issuer,
    clientId,
    clientSecret: ctx.encryption.decrypt(secret, clientSecretPlace(companyId)),
  };
}

const SENTENCES = {
  unavailable: messages.ssoUnavailable,
  denied: messages.ssoDenied,
  rejected: messages.ssoRejected,
};

/** Runs what asks a provider; throws Invalid with a sentence for a person where that fails. */
async function atProvider<T>(ctx: Context, companyId: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    ctx.log.info({ err: error, companyId, reason: error.reason }, 'single sign-on failed at the provider');
    throw new Invalid([], SENTENCES[error.reason]);
  }
}
