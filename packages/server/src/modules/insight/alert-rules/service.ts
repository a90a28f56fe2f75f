import {
  ALERT_RULES_MAX,
  RULE_METRICS,
  type AlertRule,
  type AlertRuleInput,
  ruleFigureText,
  ruleText,
  type AlertRuleScope,
  type AlertRuleMetric,
  cohortDayOf,
} from '@bidwell/contract/alerts/rules';
import { companyAlertApiMessages } from '@bidwell/contract/alerts/api-messages';
import { companyAlertMessages } from '@bidwell/contract/alerts/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact, type Db } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { recordChange } from '../../changes/public.ts';
import { type Selectable, sql } from 'kysely';
import type { AlertRuleTable } from '../../../platform/postgres/alert-tables.ts';
import { addDays, dateAt, hourOfDayMs, startOfDayMs } from '@bidwell/contract/lib/calendar';
import {
  countOwnedLocked,
  deleteOwned,
  insertOwned,
  setOwned,
} from '../../../platform/postgres/stores/owned-store.ts';

/** The rules of the company with what their last check said, in the order of their creation. */
export async function listAlertRules(ctx: Context, actor: Actor): Promise<AlertRule[]> {
  requirePermission(actor, 'alert.read');
  return (await listRules(ctx.db, actor.companyId)).map(presentRule);
}

/**
 * Adds a rule. Throws Conflict if there are fifty, and Invalid if the watched entity is archived or not the company's.
 */
export async function createAlertRule(ctx: Context, actor: Actor, input: AlertRuleInput): Promise<AlertRule> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const uuid = uuidv7();
  return transact(ctx.db, async (tx) => {
    if ((await countOwnedLocked(tx.db, 'alert_rules', companyId)) >= ALERT_RULES_MAX)
      throw new Conflict(companyAlertApiMessages.alertRuleLimit(ALERT_RULES_MAX));
    const values = await valuesOf(ctx, tx, companyId, input);
    await insertOwned(tx.db, 'alert_rules', companyId, { uuid, ...values, created_at: ctx.now() });
    const made = (await findRule(tx.db, companyId, uuid))!;
    await recordRule(ctx, tx, actor, { before: null, after: made });
    return presentRule(made);
  });
}

/** Changes a rule, which is then checked again. Throws NotFound, and Invalid as {@link createAlertRule}. */
export async function updateAlertRule(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AlertRuleInput & { uuid: string },
): Promise<AlertRule> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockRule(tx.db, companyId, uuid);
    if (!before) throw new NotFound('Rule');
    await requireExpected(() => presentRule(before));
    const values = await valuesOf(ctx, tx, companyId, input);
    await setOwned(tx.db, 'alert_rules', companyId, uuid, values);
    const after = (await findRule(tx.db, companyId, uuid))!;
    await recordRule(ctx, tx, actor, { before, after });
    return presentRule(after);
  });
}

/** Removes a rule. Throws NotFound. */
export async function deleteAlertRule(ctx: Context, actor: Actor, { uuid }: { uuid: string }): Promise<void> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const before = await lockRule(tx.db, companyId, uuid);
    if (!before) throw new NotFound('Rule');
    await requireExpected(() => presentRule(before));
    await deleteOwned(tx.db, 'alert_rules', companyId, uuid);
    await recordRule(ctx, tx, actor, { before, after: null });
  });
}

/** The columns of a rule that was just entered: nothing is known of it, and its first check is soon. */
async function valuesOf(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { minimum, ...input }: AlertRuleInput,
): Promise<Omit<RuleRow, 'uuid' | 'company_uuid' | 'created_at'>> {
  const { scope, scope_uuid: scopeUuid } = input;
  if (scope !== 'company' && (await findScopeName(tx.db, companyId, scope, scopeUuid!)) === undefined)
    throw new Invalid([{ field: 'scope_uuid', message: companyAlertMessages.ruleScope }]);
  const timeZone = await timeZoneOf(tx.db, companyId);
  return {
    ...input,
    minimum_of: minimum?.of ?? null,
    minimum: minimum?.value ?? null,
    state: 'unchecked',
    value: null,
    volume: null,
    from_date: null,
    to_date: null,
    checked_at: null,
    met_since: null,
    next_check_at: input.is_enabled ? firstCheckAt(ctx.now(), { ...input, timeZone }) : null,
  };
}

async function recordRule(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { before, after }: { before: NamedRule | null; after: NamedRule | null },
): Promise<void> {
  const rule = (after ?? before)!;
  await recordChange(ctx, tx, actor, {
    entity: 'alert_rule',
    uuid: rule.uuid,
    name: ruleText(rule),
    before: before && loggedFields(before),
    after: after && loggedFields(after),
  });
}

const loggedFields = (row: NamedRule) => ({
  rule: ruleText(row),
  watches: row.scope === 'company' ? 'the company' : row.scope_name,
  minimum:
    row.minimum_of && `${RULE_METRICS[row.minimum_of].label} ${ruleFigureText(row.minimum_of, row.minimum!)}`,
  hour: row.hour,
  is_enabled: row.is_enabled,
});

function presentRule({ company_uuid: _company, minimum_of: of, minimum, ...row }: NamedRule): AlertRule {
  return {
    ...row,
    minimum: of === null ? null : { of, value: minimum! },
    checked_at: row.checked_at?.toISOString() ?? null,
    met_since: row.state === 'met' ? row.met_since!.toISOString() : null,
    next_check_at: row.next_check_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export type RuleRow = Selectable<AlertRuleTable>;
/** A rule with the name of the entity that it watches; null for the company, and if the entity no longer exists. */
type NamedRule = RuleRow & { scope_name: string | null };

/** The tables of the entities that a rule can watch. */
const TABLES = { app: 'apps', campaign: 'campaigns', adset: 'adsets' } as const;

const scopeName = sql<string | null>`case r.scope
  when 'app' then (select name from apps where company_uuid = r.company_uuid and uuid = r.scope_uuid)
  when 'campaign' then (select name from campaigns where company_uuid = r.company_uuid and uuid = r.scope_uuid)
  when 'adset' then (select name from adsets where company_uuid = r.company_uuid and uuid = r.scope_uuid) end`.as(
  'scope_name',
);

const namedRules = (db: Db) => db.selectFrom('alert_rules as r').selectAll('r').select(scopeName);

/** The rules of a company, in the order of their creation. */
async function listRules(db: Db, companyId: string): Promise<NamedRule[]> {
  return namedRules(db)
    .where('r.company_uuid', '=', companyId)
    .orderBy('r.created_at')
    .orderBy('r.uuid')
    .execute();
}

async function findRule(db: Db, companyId: string, uuid: string): Promise<NamedRule | undefined> {
  return namedRules(db).where('r.company_uuid', '=', companyId).where('r.uuid', '=', uuid).executeTakeFirst();
}

/** A rule, locked until the transaction ends. */
export async function lockRule(db: Db, companyId: string, uuid: string): Promise<NamedRule | undefined> {
  return namedRules(db)
    .where('r.company_uuid', '=', companyId)
    .where('r.uuid', '=', uuid)
    .forUpdate('r')
    .executeTakeFirst();
}

/** The name of an app, a campaign or an ad set that the company has and that is not archived; undefined without one. */
export async function findScopeName(
  db: Db,
  companyId: string,
  scope: Exclude<AlertRuleScope, 'company'>,
  uuid: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(TABLES[scope])
    .select('name')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .where('archived_at', 'is', null)
    .executeTakeFirst();
  return row?.name;
}

/** A rule whose check is due, with the time zone of its company. */
export type DueRule = NamedRule & { time_zone: string; next_check_at: Date };

/**
 * Rules whose check is due, the longest due first: at most `eachMax` of each company that is not suspended, so that the rules of one
 * company do not delay the rules of another. Covers all companies: for a background job only.
 */
export async function dueRules(
  db: Db,
  { now, eachMax, max }: { now: Date; eachMax: number; max: number },
): Promise<DueRule[]> {
  const { rows } = await sql<DueRule>`
    select due.* from (
      select r.*, ${scopeName}, c.time_zone,
        row_number() over (partition by r.company_uuid order by r.next_check_at, r.uuid) as place
      from alert_rules r join companies c on c.uuid = r.company_uuid
      where r.next_check_at <= ${now} and c.suspended_at is null
    ) as due
    where due.place <= ${eachMax} order by due.place, due.next_check_at, due.uuid limit ${max}`.execute(db);
  return rows;
}

/** The settings that decide when a rule is checked. */
interface CheckTimes {
  /** Whole days; 0 for today so far. */
  days: number;
  /** The hour of the company's day; null for every hour of today so far, or an hour after the last whole day ended. */
  hour: number | null;
  timeZone: string;
}

const HOUR_MS = 3_600_000;
/** After an hour, for events that are still being counted. */
const SETTLED_MS = 5 * 60_000;
/** The hour of the first check of whole days that ended at midnight. */
const AFTER_MIDNIGHT = 1;

/**
 * When a rule is first checked: figures of whole days at once, since they exist, and figures of today once the hour of its
 * checks has come. Pure.
 */
function firstCheckAt(now: Date, times: CheckTimes): Date {
  if (times.days > 0 || times.hour === null) return now;
  const today = dateAt(now.getTime(), times.timeZone);
  return hourOfDayMs(today, times.hour, times.timeZone) <= now.getTime() ? now : nextCheckAt(now, times);
}

/** When a rule is checked next after a check at `now`. Pure. */
export function nextCheckAt(now: Date, { days, hour, timeZone }: CheckTimes): Date {
  const nowMs = now.getTime();
  if (days === 0 && hour === null)
    return new Date(Math.floor((nowMs - SETTLED_MS) / HOUR_MS + 1) * HOUR_MS + SETTLED_MS);
  const today = dateAt(nowMs, timeZone);
  for (const date of [today, addDays(today, 1)]) {
    const atMs = hourOfDayMs(date, hour ?? AFTER_MIDNIGHT, timeZone) + SETTLED_MS;
    if (atMs > nowMs) return new Date(atMs);
  }
  return new Date(startOfDayMs(addDays(today, 2), timeZone));
}

/**
 * The first and last day of a figure at `now`, both included: today, or the last whole days. For a cohort, the last days all of whose
 * installs are old enough. Pure.
 */
export function daysOf(
  now: Date,
  { metric, days, timeZone }: { metric: AlertRuleMetric; days: number; timeZone: string },
): { from: string; to: string } {
  const today = dateAt(now.getTime(), timeZone);
  if (days === 0) return { from: today, to: today };
  const cohortDay = cohortDayOf(metric);
  // Day n of an install ends n + 1 times 24 hours after it.
  const to = addDays(today, -1 - (cohortDay === undefined ? 0 : cohortDay + 1));
  return { from: addDays(to, 1 - days), to };
}
