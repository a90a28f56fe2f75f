import { type SsoInput, type SsoSettings, ssoCallbackPath } from '@bidwell/contract/accounts/single-sign-on';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid, Forbidden } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { OidcFailure } from '../../../platform/oidc/identity-providers.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Db, type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { lockPeople } from '../people/membership-store.ts';
import { revokeSsoSessionsIn } from '../sessions/session-store.ts';
import { presentDomain } from './domains.ts';
import {
  type ProviderRow,
  clientSecretPlace,
  deleteProvider,
  findProvider,
  listDomains,
  upsertProvider,
} from './provider-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** The address to which a company's provider sends people back: one for each company, so that no provider answers for another. */
export function redirectUriOf({ config }: Pick<Context, 'config'>, companyId: string): string {
  return publicUrlOf(config) + ssoCallbackPath(companyId);
}

/** The single sign-on of the actor's company, without its secret. */
export async function readSso(ctx: Context, actor: Actor): Promise<SsoSettings> {
  requirePermission(actor, 'sso.read');
  return settingsOf(ctx, ctx.db, actor.companyId);
}

async function settingsOf(ctx: Context, db: Db, companyId: string): Promise<SsoSettings> {
  const provider = await findProvider(db, companyId);
  const domains = await listDomains(db, companyId);
  return {
    provider: provider ? presentProvider(provider) : null,
    domains: domains.map(presentDomain),
    redirect_uri: redirectUriOf(ctx, companyId),
  };
}

/**
 * Sets the provider of the actor's company, after asking it for its metadata. Another issuer ends the sessions that the former began.
 * Throws Invalid where no provider answers, for another issuer without its secret, and if single sign-on would be required without a
 * proven mail domain.
 */
export async function putSso(ctx: Context, actor: Session, input: SsoInput): Promise<SsoSettings> {
  requirePermission(actor, 'sso.write');
  const issuer = await issuerAt(ctx, actor.companyId, input.issuer);
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'sso.write');
    const before = await findProvider(tx.db, companyId);
    await requireExpected(async () => settingsOf(ctx, tx.db, companyId));
    const isOther = before?.issuer !== issuer;
    const kept = isOther ? null : (before?.client_secret ?? null);
    const secret = input.client_secret
      ? ctx.encryption.encrypt(input.client_secret, clientSecretPlace(companyId))
      : kept;
    // Not the stored one: it would be sent to the new issuer.
    if (secret === null)
      throw new Invalid([{ field: 'client_secret', message: accountMessages.ssoSecretNeeded }]);
    const isProven = (await listDomains(tx.db, companyId)).some(({ verified_at }) => verified_at !== null);
    if (input.is_required && !isProven)
      throw new Invalid([{ field: 'is_required', message: accountMessages.ssoDomainFirst }]);
    const { client_id, role, may_join, is_required } = input;
    const after = { issuer, client_id, client_secret: secret, role, may_join, is_required };
    await upsertProvider(tx.db, companyId, { ...after, updated_at: ctx.now() });
    if (before && isOther) await endSsoSessions(ctx, tx, companyId);
    const isNewSecret = input.client_secret !== null && !isOther;
    await record(ctx, tx, actor, { companyName, before, after, isNewSecret });
    return settingsOf(ctx, tx.db, companyId);
  });
}

/** Removes the provider of the actor's company, and ends the sessions that it began. Mail domains and identities stay. */
export async function deleteSso(ctx: Context, actor: Session): Promise<SsoSettings> {
  requirePermission(actor, 'sso.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'sso.write');
    const before = await findProvider(tx.db, companyId);
    await requireExpected(async () => settingsOf(ctx, tx.db, companyId));
    await deleteProvider(tx.db, companyId);
    await endSsoSessions(ctx, tx, companyId);
    await record(ctx, tx, actor, { companyName, before, after: undefined, isNewSecret: false });
    return settingsOf(ctx, tx.db, companyId);
  });
}

async function issuerAt(ctx: Context, companyId: string, issuer: string): Promise<string> {
  try {
    return await ctx.identityProviders.discover(companyId, issuer);
  } catch (error) {
    if (!(error instanceof OidcFailure)) throw error;
    ctx.log.info({ err: error, companyId }, 'a provider of single sign-on was not accepted');
    const { namedIssuer: named } = error;
    const message = named === null ? accountMessages.ssoNoProvider : accountMessages.ssoOtherIssuer(named);
    throw new Invalid([{ field: 'issuer', message }]);
  }
}

async function endSsoSessions(ctx: Context, tx: Tx, companyId: string): Promise<void> {
  const ended = await revokeSsoSessionsIn(tx.db, companyId, ctx.now());
  tx.afterCommit(() => ctx.onSessionsEnded(ended));
}

type Logged = Omit<ProviderRow, 'company_uuid' | 'updated_at'>;

/** Logs a change of the provider as one of the company, whose kinds of entities earlier releases know. */
async function record(
  ctx: Context,
  tx: Tx,
  actor: Session,
  {
    companyName,
    before,
    after,
    isNewSecret,
  }: { companyName: string; before: Logged | undefined; after: Logged | undefined; isNewSecret: boolean },
): Promise<void> {
  await recordChange(ctx, tx, actor, {
    entity: 'company',
    uuid: actor.companyId,
    name: companyName,
    before: fieldsOf(before),
    after: { ...fieldsOf(after), ...(isNewSecret && { sso_client_secret: 'changed' }) },
  });
}

function fieldsOf(provider: Logged | undefined): Record<string, unknown> {
  return {
    sso_issuer: provider?.issuer ?? null,
    sso_client_id: provider?.client_id ?? null,
    sso_role: provider?.role ?? null,
    sso_may_join: provider?.may_join ?? null,
    sso_is_required: provider?.is_required ?? null,
  };
}

function presentProvider(row: ProviderRow): NonNullable<SsoSettings['provider']> {
  return {
    issuer: row.issuer,
    client_id: row.client_id,
    has_client_secret: row.client_secret !== null,
    role: row.role,
    may_join: row.may_join,
    is_required: row.is_required,
    updated_at: row.updated_at.toISOString(),
  };
}

/**
 * Throws Forbidden in a session that single sign-on began, for actions beyond its company: other companies of the person, and ways to
 * log in to them. The administrator of a company's provider could otherwise act for its people elsewhere.
 */
export function requireOwnLogin({ bySso }: { bySso?: boolean }): void {
  if (bySso) throw new Forbidden(accountMessages.ssoPasswordNeeded);
}
