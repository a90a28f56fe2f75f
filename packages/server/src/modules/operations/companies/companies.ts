import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { roleHas } from '@bidwell/contract/operator-accounts/permissions';
import { toDollars, toMicros } from '@bidwell/contract/lib/money';
import type {
  CompanyQuery,
  CompanySort,
  OneTimePassword,
  OperatorCompany,
  CompanyTerms,
} from '@bidwell/contract/operator/schema';
import type { Storage } from '@bidwell/contract/storage/schema';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../../platform/operator.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import {
  prepareOneTimePassword,
  removeSecondFactorOf,
  setOneTimePassword,
  prepareViewerSession,
  proveDomain,
} from '../../identity/public.ts';
import { type RecentSpend, recentSpendOf } from '../../reporting/public.ts';
import {
  balanceMicrosOf,
  balanceMicrosOfAll,
  listTransactions,
  changeCreditLimit,
} from '../../money/public.ts';
import { notify, takeBack } from '../../messaging/public.ts';
import { storageOf } from '../../catalog/public.ts';
import { recordAuditEntry, recordOperatorChange, changedFields } from '../../changes/public.ts';
import {
  type CompanyKey,
  type CompanyRow,
  type PersonRow,
  companiesOf,
  findCompanyLocked,
  matchingCompanies,
  peopleOf,
  updateCompany,
} from './company-store.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import type { TransactionList, TransactionQuery } from '@bidwell/contract/finance/schema';
import { systemActor } from '../../../platform/actor.ts';
import { publicUrlOf } from '../../../platform/http/public-url.ts';
import { changeTimeZone } from './time-zone.ts';
import type { SsoDomain } from '@bidwell/contract/accounts/single-sign-on';

const noSpend: RecentSpend = { todayMicros: 0, weekMicros: 0, monthMicros: 0 };

/** A page of the companies that match, sorted, and the number of all that match. */
export async function listCompanies(
  ctx: Context,
  operator: Operator,
  { page, limit, sort, ...filter }: CompanyQuery,
): Promise<{ companies: OperatorCompany[]; total: number }> {
  requireOperatorPermission(operator, 'company.read');
  const matching = await matchingCompanies(ctx.db, filter);
  const sorted = sort === undefined ? matching : await sortedBy(ctx, matching, sort);
  const shown = sorted.slice((page - 1) * limit, page * limit).map(({ uuid }) => uuid);
  return { companies: await presentCompanies(ctx, operator, shown), total: matching.length };
}

/** Reads one company. Throws NotFound. */
export async function getCompany(
  ctx: Context,
  operator: Operator,
  { uuid: companyId }: { uuid: string },
): Promise<OperatorCompany> {
  requireOperatorPermission(operator, 'company.read');
  const [company] = await presentCompanies(ctx, operator, [companyId]);
  if (!company) throw new NotFound('Company');
  return company;
}

/** Sorts by a field, descending with a leading minus; companies that are alike stay as they are. */
async function sortedBy(
  ctx: Context,
  companies: readonly CompanyKey[],
  sort: CompanySort | `-${CompanySort}`,
): Promise<CompanyKey[]> {
  const field = sort.replace('-', '') as CompanySort;
  const direction = sort.startsWith('-') ? -1 : 1;
  if (field === 'name') {
    const { compare } = new Intl.Collator('en', { numeric: true });
    return companies.toSorted((a, b) => direction * compare(a.name, b.name));
  }
  const keyOf = await sortKeyOf(ctx, companies, field);
  return companies.toSorted((a, b) => direction * (keyOf(a) - keyOf(b)));
}

async function sortKeyOf(
  ctx: Context,
  companies: readonly CompanyKey[],
  field: Exclude<CompanySort, 'name'>,
): Promise<(company: CompanyKey) => number> {
  if (field === 'created_at') return ({ created_at }) => created_at.getTime();
  if (field === 'credit_limit') return ({ credit_limit_micros }) => credit_limit_micros;
  if (field === 'balance') {
    const balances = await balanceMicrosOfAll(ctx);
    return ({ uuid }) => balances.get(uuid) ?? 0;
  }
  const spend = await recentSpendOf(ctx, companies, { isAll: true });
  const part = {
    spend_today: 'todayMicros',
    spend_7_days: 'weekMicros',
    spend_30_days: 'monthMicros',
  } as const;
  return ({ uuid }) => (spend.get(uuid) ?? noSpend)[part[field]];
}

/** Suspends a company, which stops all its campaigns, or resumes it. Notifies it. Throws NotFound. */
export async function suspendCompany(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, suspended, reason: given }: { uuid: string; suspended: boolean; reason: string },
): Promise<OperatorCompany> {
  requireOperatorPermission(operator, 'company.write');
  await transact(ctx.db, async (tx) => {
    const row = await requireCompany(tx, companyId);
    await requireExpected(() => presentTerms(row));
    const reason = suspended ? given : '';
    const isSuspended = row.suspended_at !== null;
    // Without a reason, a repeated suspension does not delete the one that was given before.
    if (isSuspended === suspended && (reason === '' || reason === row.suspension_reason)) return;
    const suspendedAt = suspended ? (row.suspended_at ?? ctx.now()) : null;
    await updateCompany(tx.db, companyId, { suspended_at: suspendedAt, suspension_reason: reason });
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name: row.name,
      action: 'decide',
      done: suspended ? 'Suspended' : 'Resumed',
      before: suspensionOf(isSuspended, row.suspension_reason),
      after: suspensionOf(suspended, reason),
      // The reason that the operator gave now, also for the end of the suspension.
      reason: given,
    });
    // Each marks the earlier ones as read, since they no longer apply.
    const { suspended: begun, resumed: ended } = notificationMessages;
    await takeBack(ctx, tx, companyId, { kind: 'company', titles: [begun.title, ended.title] });
    await notify(ctx, tx, companyId, {
      kind: 'company',
      ...suspensionNotice(suspended, reason),
      entity: { type: 'company', uuid: companyId },
    });
  });
  return getCompany(ctx, operator, { uuid: companyId });
}

function suspensionOf(suspended: boolean, reason: string): Record<string, unknown> {
  return { suspended, ...(reason && { suspension_reason: reason }) };
}

function suspensionNotice(suspended: boolean, reason: string) {
  if (!suspended) return notificationMessages.resumed;
  return reason === '' ? notificationMessages.suspended : notificationMessages.suspendedFor(reason);
}

/** Gives a person of a company a one-time password and ends all sessions of the person. Throws NotFound. */
export async function resetPassword(
  ctx: Context,
  operator: Operator,
  person: { companyId: string; userId: string },
): Promise<OneTimePassword> {
  requireOperatorPermission(operator, 'company.write');
  const prepared = await prepareOneTimePassword(operator.login);
  return transact(ctx.db, async (tx) => {
    await requireCompany(tx, person.companyId);
    const result = await setOneTimePassword(ctx, tx, person, prepared);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Reset the password of',
      entity: 'user',
      entityId: person.userId,
      companyId: person.companyId,
      name: result.login,
      after: { one_time_password_until: result.expires_at },
    });
    return result;
  });
}

/** Removes the second factor of a person of a company and ends all sessions of the person. Throws NotFound. */
export async function resetSecondFactor(
  ctx: Context,
  operator: Operator,
  person: { companyId: string; userId: string },
): Promise<void> {
  requireOperatorPermission(operator, 'company.write');
  await transact(ctx.db, async (tx) => {
    await requireCompany(tx, person.companyId);
    const login = await removeSecondFactorOf(ctx, tx, person);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Reset the second factor of',
      entity: 'user',
      entityId: person.userId,
      companyId: person.companyId,
      name: login,
    });
  });
}

/** Reads a company and locks it until the transaction ends. Throws NotFound. */
async function requireCompany(tx: Tx, uuid: string): Promise<CompanyRow> {
  const row = await findCompanyLocked(tx.db, uuid);
  if (!row) throw new NotFound('Company');
  return row;
}

/** The companies with these ids, in their order; unknown ids are left out. */
async function presentCompanies(
  ctx: Context,
  operator: Operator,
  uuids: readonly string[],
): Promise<OperatorCompany[]> {
  const rows = new Map((await companiesOf(ctx.db, uuids)).map((row) => [row.uuid, row]));
  const companies = uuids.flatMap((uuid) => rows.get(uuid) ?? []);
  const [people, balances, spend, storage] = await Promise.all([
    peopleOf(ctx.db, uuids),
    balanceMicrosOf(ctx, uuids),
    recentSpendOf(ctx, companies, { isAll: false }),
    storageOf(ctx, uuids),
  ]);
  // A company that was deleted meanwhile has none.
  return companies.flatMap((company) => {
    const own = storage.get(company.uuid);
    if (!own) return [];
    return presentCompany(company, {
      isSecretShown: roleHas(operator.role, 'secret.read'),
      storage: own,
      people: people.filter((person) => person.company_uuid === company.uuid),
      balanceMicros: balances.get(company.uuid) ?? 0,
      spend: spend.get(company.uuid) ?? noSpend,
    });
  });
}

/** A company as operators read it, without the figures and people that its version leaves out. */
function presentTerms(row: CompanyRow): OperatorCompany {
  const storage = { used_bytes: 0, quota_bytes: 0, quota_after_approval_bytes: null };
  return presentCompany(row, { isSecretShown: false, people: [], balanceMicros: 0, spend: noSpend, storage });
}

function presentCompany(
  company: CompanyRow,
  {
    isSecretShown,
    people,
    balanceMicros,
    spend,
    storage,
  }: {
    isSecretShown: boolean;
    people: PersonRow[];
    balanceMicros: number;
    spend: RecentSpend;
    storage: Storage;
  },
): OperatorCompany {
  return {
    uuid: company.uuid,
    name: company.name,
    logins: people.map(({ login }) => login),
    people: people.map(({ uuid, login, email, contact, first_name, last_name, ...membership }) => ({
      uuid,
      login,
      name: [first_name, last_name].filter(Boolean).join(' '),
      email,
      contact,
      role: membership.role,
    })),
    balance: toDollars(balanceMicros),
    credit_limit: toDollars(company.credit_limit_micros),
    margin_percent: company.margin_basis_points / 100,
    spend_today: toDollars(spend.todayMicros),
    spend_7_days: toDollars(spend.weekMicros),
    spend_30_days: toDollars(spend.monthMicros),
    storage,
    storage_quota_bytes: company.storage_quota_bytes,
    suspended: company.suspended_at !== null,
    suspended_at: company.suspended_at?.toISOString() ?? null,
    suspension_reason: company.suspension_reason,
    notes: company.notes,
    postback_secret: isSecretShown ? company.postback_secret : '',
    time_zone: company.time_zone,
    created_at: company.created_at.toISOString(),
  };
}

/** One page of a company's transactions, newest first, and the number of all of them. Throws NotFound. */
export async function listCompanyTransactions(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, ...query }: TransactionQuery & { uuid: string },
): Promise<TransactionList> {
  requireOperatorPermission(operator, 'company.read');
  await getCompany(ctx, operator, { uuid: companyId });
  return listTransactions(ctx, systemActor(companyId), query);
}

/**
 * Prepares a read-only session in a company's console, which the company sees in its change log. Returns the address that
 * opens it. Throws NotFound.
 */
export async function viewCompany(
  ctx: Context,
  operator: Operator,
  { uuid: companyId }: { uuid: string },
): Promise<{ address: string }> {
  requireOperatorPermission(operator, 'company.view');
  const { code } = await transact(ctx.db, async (tx) => {
    const { name } = await requireCompany(tx, companyId);
    const prepared = await prepareViewerSession(ctx, tx, { companyId, operatorId: operator.uuid });
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name,
      action: 'view',
      done: 'Viewed',
      before: null,
      after: { operator: operator.login, viewed_as: prepared.login },
    });
    return prepared;
  });
  // Where operators have a server of their own, the console of companies is on the public one.
  const origin = ctx.config.admin === null ? '' : publicUrlOf(ctx.config);
  return { address: `${origin}/view#${code}` };
}

/** A company's terms and notes, as the operators' log shows them. */
type Terms = Required<CompanyTerms>;

/**
 * Changes a company's terms and notes. The company is notified of a new credit limit or time zone,
 * and never of its margin or the notes. Throws NotFound; Invalid for a time zone that PostgreSQL does not know.
 */
export async function changeCompany(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, ...changes }: CompanyTerms & { uuid: string },
): Promise<OperatorCompany> {
  requireOperatorPermission(operator, 'company.terms');
  await transact(ctx.db, async (tx) => {
    const row = await requireCompany(tx, companyId);
    await requireExpected(() => presentTerms(row));
    const before = termsOf(row);
    const after: Terms = { ...before, ...definedOf(changes) };
    const differing = changedFields(before, after);
    if (differing.length === 0) return;
    const changed = differing.map(({ field }) => field);
    await changeCreditLimit(ctx, tx, companyId, toMicros(after.credit_limit));
    if (changed.includes('notes')) await updateCompany(tx.db, companyId, { notes: after.notes });
    if (changed.includes('storage_quota_bytes'))
      await updateCompany(tx.db, companyId, { storage_quota_bytes: after.storage_quota_bytes });
    if (changed.includes('time_zone')) await changeTimeZone(ctx, tx, row, after.time_zone);
    if (changed.includes('margin_percent')) await changeMargin(ctx, tx, companyId, after.margin_percent);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'company',
      entityId: companyId,
      companyId,
      name: row.name,
      before: Object.fromEntries(differing.map(({ field, before: value }) => [field, value])),
      after: Object.fromEntries(differing.map(({ field, after: value }) => [field, value])),
    });
  });
  return getCompany(ctx, operator, { uuid: companyId });
}

function termsOf(row: CompanyRow): Terms {
  return {
    credit_limit: toDollars(row.credit_limit_micros),
    margin_percent: row.margin_basis_points / 100,
    time_zone: row.time_zone,
    storage_quota_bytes: row.storage_quota_bytes,
    notes: row.notes,
  };
}

function definedOf(changes: CompanyTerms): Partial<Terms> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/**
 * Sets the margin of new bids: bidders are notified. The change is in the operators' log alone; neither the company's
 * change log nor its open pages show it.
 */
async function changeMargin(ctx: Context, tx: Tx, uuid: string, percent: number): Promise<void> {
  await updateCompany(tx.db, uuid, { margin_basis_points: Math.round(percent * 100) });
  tx.changes(uuid);
  tx.afterCommit(() => ctx.onEntityChanged({ companyId: uuid, entity: 'company', uuid, action: 'update' }));
}

/**
 * Gives a company a mail domain whose DNS it cannot change, for its single sign-on. Throws NotFound; Conflict for a domain that another
 * company has proven.
 */
export async function proveSsoDomain(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, domain }: { uuid: string; domain: string },
): Promise<SsoDomain> {
  requireOperatorPermission(operator, 'company.write');
  return transact(ctx.db, async (tx) => {
    const { name } = await requireCompany(tx, companyId);
    const proven = await proveDomain(ctx, tx, companyId, domain);
    await recordOperatorChange(ctx, tx, operator, {
      companyId,
      entity: 'company',
      uuid: companyId,
      name,
      action: 'decide',
      done: 'Proved a mail domain of',
      before: { sso_domain: null },
      after: { sso_domain: domain },
    });
    return proven;
  });
}
