import { SSO_DOMAINS_MAX, type SsoDomain, txtRecordOf } from '@bidwell/contract/accounts/single-sign-on';
import { apiMessages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { lockPeople } from '../people/locked-people.ts';
import { newSecretToken } from '../sessions/access-tokens.ts';
import {
  type DomainRow,
  deleteDomain,
  insertDomain,
  listDomains,
  saveRecordCheck,
  verifyDomainRow,
} from './provider-store.ts';

/** Lists a mail domain, which is of no effect until it is proven. Throws Conflict for a listed one, and beyond the most domains. */
export async function addSsoDomain(
  ctx: Context,
  actor: Session,
  { domain }: { domain: string },
): Promise<SsoDomain> {
  requirePermission(actor, 'sso.write');
  return transact(ctx.db, async (tx) => {
    await lockPeople(tx, actor, 'sso.write');
    const listed = await listDomains(tx.db, actor.companyId);
    if (listed.some((other) => other.domain === domain)) {
      const message = apiMessages.ssoDomainKnown;
      throw new Conflict(message, [{ field: 'domain', message }]);
    }
    if (listed.length >= SSO_DOMAINS_MAX) throw new Conflict(apiMessages.ssoDomainsMax(SSO_DOMAINS_MAX));
    const token = newSecretToken();
    const row = { uuid: uuidv7(), domain, token, verified_at: null, created_at: ctx.now() };
    await insertDomain(tx.db, actor.companyId, row);
    return presentDomain(row);
  });
}

/**
 * Looks for the DNS TXT record of a mail domain, which proves that whoever runs it is in the company. Throws NotFound; Conflict while the
 * record is not found, and for a domain that another company has proven.
 */
export async function verifySsoDomain(
  ctx: Context,
  actor: Session,
  { uuid }: { uuid: string },
): Promise<SsoDomain> {
  requirePermission(actor, 'sso.write');
  const { companyId } = actor;
  const row = await domainOf(ctx, companyId, uuid);
  if ((await hasRecord(ctx, row)) !== true) throw new Conflict(apiMessages.ssoRecordMissing);
  return transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'sso.write');
    const verified = { ...row, verified_at: ctx.now() };
    if (!(await verifyDomainRow(tx.db, companyId, row, verified.verified_at)))
      throw new Conflict(apiMessages.ssoDomainTaken);
    await saveRecordCheck(tx.db, companyId, { uuid, checkedAt: verified.verified_at, isThere: true });
    await recordDomain(ctx, tx, actor, {
      companyName,
      before: row.verified_at ? row.domain : null,
      after: row.domain,
    });
    return presentDomain(verified);
  });
}

/** Gives a mail domain up: nobody signs in by it any more, and another company may prove it. Throws NotFound. */
export async function removeSsoDomain(
  ctx: Context,
  actor: Session,
  { uuid }: { uuid: string },
): Promise<void> {
  requirePermission(actor, 'sso.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'sso.write');
    const row = (await listDomains(tx.db, companyId)).find((domain) => domain.uuid === uuid);
    if (!row || !(await deleteDomain(tx.db, companyId, uuid))) throw new NotFound('Domain');
    if (row.verified_at) await recordDomain(ctx, tx, actor, { companyName, before: row.domain, after: null });
  });
}

export function presentDomain(row: Pick<DomainRow, 'uuid' | 'domain' | 'token' | 'verified_at'>): SsoDomain {
  return {
    uuid: row.uuid,
    domain: row.domain,
    txt_record: txtRecordOf(row.token),
    verified_at: row.verified_at?.toISOString() ?? null,
  };
}

async function domainOf({ db }: Pick<Context, 'db'>, companyId: string, uuid: string): Promise<DomainRow> {
  const row = (await listDomains(db, companyId)).find((domain) => domain.uuid === uuid);
  if (!row) throw new NotFound('Domain');
  return row;
}

/** Whether the domain has the record now; null where no name server answers. */
export async function hasRecord(
  ctx: Context,
  { domain, token }: Pick<DomainRow, 'domain' | 'token'>,
  signal?: AbortSignal,
): Promise<boolean | null> {
  try {
    return (await ctx.resolveTxt(domain, signal)).some((text) => text.trim() === txtRecordOf(token));
  } catch (error) {
    ctx.log.info({ err: error, domain }, 'the DNS records of a mail domain could not be read');
    return null;
  }
}

async function recordDomain(
  ctx: Context,
  tx: Tx,
  actor: Session,
  { companyName, before, after }: { companyName: string; before: string | null; after: string | null },
): Promise<void> {
  await recordChange(ctx, tx, actor, {
    entity: 'company',
    uuid: actor.companyId,
    name: companyName,
    action: 'update',
    before: { sso_domain: before },
    after: { sso_domain: after },
  });
}
