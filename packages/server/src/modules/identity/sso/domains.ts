import { SSO_DOMAINS_MAX, type SsoDomain, txtRecordOf } from '@bidwell/contract/accounts/single-sign-on';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { Conflict, NotFound } from '../../../platform/errors.ts';
import type { Session } from '../../../platform/http/auth/auth.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { lockPeople, listMembers } from '../people/membership-store.ts';
import { newSecretToken } from '../sessions/access-tokens.ts';
import {
  type DomainRow,
  deleteDomain,
  insertDomain,
  listDomains,
  saveRecordCheck,
  verifyDomainRow,
  dueDomains,
} from './provider-store.ts';
import pLimit from 'p-limit';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { notify } from '../../messaging/public.ts';

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
      const message = accountApiMessages.ssoDomainKnown;
      throw new Conflict(message, [{ field: 'domain', message }]);
    }
    if (listed.length >= SSO_DOMAINS_MAX)
      throw new Conflict(accountApiMessages.ssoDomainsMax(SSO_DOMAINS_MAX));
    const token = newSecretToken();
    const row = { uuid: uuidv7(), domain, token, verified_at: null, created_at: ctx.now() };
    await insertDomain(tx.db, actor.companyId, row);
    return presentDomain(row);
  });
}

/**
 * Looks for the DNS TXT record of a mail domain, which proves that the company runs the domain. Throws NotFound; Conflict while the
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
  if ((await hasRecord(ctx, row)) !== true) throw new Conflict(accountApiMessages.ssoRecordMissing);
  return transact(ctx.db, async (tx) => {
    const { companyName } = await lockPeople(tx, actor, 'sso.write');
    const verified = { ...row, verified_at: ctx.now() };
    if (!(await verifyDomainRow(tx.db, companyId, row, verified.verified_at)))
      throw new Conflict(accountApiMessages.ssoDomainTaken);
    await saveRecordCheck(tx.db, companyId, { uuid, checkedAt: verified.verified_at, isThere: true });
    await recordDomain(ctx, tx, actor, {
      companyName,
      before: row.verified_at ? row.domain : null,
      after: row.domain,
    });
    return presentDomain(verified);
  });
}

/** Gives a mail domain up: people can no longer sign in with it, and another company may prove it. Throws NotFound. */
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
async function hasRecord(
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
    before: { sso_domain: before },
    after: { sso_domain: after },
  });
}

const DAY_MS = 86_400_000;

/** Domains of one run, and name servers that are asked at once. */
const CHECKED = { limit: 200, atOnce: 4 };

/**
 * Looks once a day whether proven mail domains still have their DNS record, and notifies the owners of those that have lost it for a week, once
 * until it is there again.
 * This locks no one out: the domain stays proven. Domains that an operator proved never had a record and are not reported. Breaks off when
 * `stopping` aborts.
 */
export async function checkDomainRecords(ctx: Context, stopping?: AbortSignal): Promise<void> {
  const now = ctx.now();
  const due = await dueDomains(ctx.db, new Date(now.getTime() - DAY_MS), CHECKED.limit);
  const inTurn = pLimit(CHECKED.atOnce);
  await Promise.all(
    due.map((row) =>
      inTurn(async () => {
        try {
          await checkDomain(ctx, row, { now, stopping });
        } catch (err) {
          if (isDatabaseUnavailable(err)) throw err;
          ctx.log.error({ err, domain: row.domain }, 'the DNS record of a mail domain could not be checked');
        }
      }),
    ),
  );
}

/** A record that was not seen for this long is gone, not just moving to other name servers. */
const GONE_DAYS = 7;

async function checkDomain(
  ctx: Context,
  row: DomainRow,
  { now, stopping }: { now: Date; stopping: AbortSignal | undefined },
): Promise<void> {
  if (stopping?.aborted) return;
  const {
    uuid,
    company_uuid: companyId,
    domain,
    record_seen_at: seenAt,
    record_notified_at: notifiedAt,
  } = row;
  const isThere = await hasRecord(ctx, row, stopping);
  if (stopping?.aborted) return;
  const isGone =
    isThere === false && seenAt !== null && now.getTime() - seenAt.getTime() >= GONE_DAYS * DAY_MS;
  const isNotified = isGone && (notifiedAt === null || notifiedAt <= seenAt);
  await transact(ctx.db, async (tx) => {
    const check = { uuid, checkedAt: now, isThere: isThere === true, isNotified };
    await saveRecordCheck(tx.db, companyId, check);
    if (!isNotified) return;
    const owners = (await listMembers(tx.db, companyId)).filter(({ role }) => role === 'owner');
    for (const { uuid: userId } of owners)
      await notify(ctx, tx, companyId, {
        userId,
        kind: 'sso_domain',
        ...notificationMessages.ssoRecordGone(domain, GONE_DAYS),
        entity: { type: 'user', uuid: userId },
        onceKey: `sso-record:${uuid}:${seenAt.getTime()}:${userId}`,
      });
  });
}

/**
 * Makes a mail domain one of a company without a DNS record, on the word of an operator whose transaction writes the audit entry. Throws
 * Conflict for one that another company has proven.
 */
export async function proveDomain(
  ctx: Pick<Context, 'now'>,
  tx: Tx,
  companyId: string,
  domain: string,
): Promise<SsoDomain> {
  const at = ctx.now();
  const listed = (await listDomains(tx.db, companyId)).find((row) => row.domain === domain);
  const row = listed ?? {
    uuid: uuidv7(),
    domain,
    token: newSecretToken(),
    verified_at: null,
    created_at: at,
  };
  if (!listed) await insertDomain(tx.db, companyId, row);
  if (!(await verifyDomainRow(tx.db, companyId, row, at)))
    throw new Conflict(accountApiMessages.ssoDomainTaken);
  return presentDomain({ ...row, verified_at: at });
}

/** The part of a mail address after the @, in lower case. */
export function mailDomainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
