import { UNDO_FIELD } from '@bidwell/contract/changes/schema';
import { fieldLabel } from '@bidwell/contract/text/field-label';
import { anomalySentences } from '@bidwell/contract/insight/anomaly-sentences';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { addDays, dateAt, dateTimeAt, dayText, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import { dollarsText } from '@bidwell/contract/lib/number-text';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { transact, type Db } from '../../../platform/postgres/transaction.ts';
import { countsOfHours, spentBetweenMicros } from '../../reporting/public.ts';
import { type DailyBudgets, dailyBudgetsOf } from '../daily-budgets-store.ts';
import { notify } from '../../messaging/public.ts';
import { type Anomaly, detectAnomalies, isSpentAsPlanned } from './detect.ts';
import { sql } from 'kysely';

const HOUR_MS = 3_600_000;
/** Number of past weeks with which an hour is compared. */
const WEEKS = 8;
/** Delay after the end of an hour before it is checked, for late events. */
const SETTLED_MS = 5 * 60_000;
const RETENTION_MS = 7 * 24 * HOUR_MS;

/** An anomaly is not repeated for this long. */
const QUIET_MS = 24 * HOUR_MS;
/** A change this long before the end of the hour may have caused an anomaly. */
const CAUSE_MS = 24 * HOUR_MS;

/**
 * Checks the last complete hour of each company with an Active campaign: notifies it if spend, CPI or install rate differ strongly from the
 * same hour of past weeks at the present level of spend, by an amount that matters compared with its budgets. The notification names the
 * latest change before it. Each hour of a company is checked once, however many servers run this, and creates one notification at most. An
 * anomaly that was found in the day before is not repeated.
 */
export async function checkLastHour(ctx: Context): Promise<void> {
  const now = ctx.now().getTime();
  const hourMs = Math.floor((now - SETTLED_MS) / HOUR_MS) * HOUR_MS - HOUR_MS;
  for (const { companyId, timeZone } of await companiesThatRun(ctx.db)) {
    try {
      await checkHour(ctx, companyId, timeZone, hourMs);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, companyId }, 'an hour of a company could not be checked for anomalies');
    }
  }
  await deleteOldChecks(ctx.db, new Date(now - RETENTION_MS));
}

async function checkHour(ctx: Context, companyId: string, timeZone: string, hourMs: number): Promise<void> {
  const hour = new Date(hourMs);
  if (await findCheck(ctx.db, companyId, hour)) return;
  const past = Array.from({ length: WEEKS }, (_, index) => sameHour(hourMs, timeZone, index + 1));
  const [present, ...weeks] = await countsOfHours(ctx, companyId, [hourMs, ...past]);
  const budgets = await dailyBudgetsOf(ctx.db, companyId);
  const unusual = detectAnomalies(
    present!.counts,
    weeks.map(({ counts }) => counts),
    budgets.dollars,
    {
      growths: weeks.map(({ before }) => growthOf(before.spendMicros, present!.before.spendMicros)),
      isCapped: budgets.isCapped,
    },
  );
  const found = (await isAsPlanned(ctx, { companyId, timeZone, hourMs, budgets, unusual }))
    ? unusual.filter((anomaly) => !isLittleSpend(anomaly))
    : unusual;
  const known = await findFound(ctx.db, companyId, { from: new Date(hourMs - QUIET_MS), before: hour });
  const fresh = found.filter((anomaly) => !known.has(keyOf(anomaly)));
  const [main] = fresh;
  const end = hourMs + HOUR_MS;
  const change = main && (await latestChange(ctx.db, companyId, new Date(end - CAUSE_MS), new Date(end)));
  await transact(ctx.db, async (tx) => {
    if (!(await insertCheck(tx.db, companyId, hour, found.map(keyOf)))) return;
    if (!main) return;
    const texts = [
      ...fresh.map((anomaly) => textOf(anomaly, anomaly === main ? hourText(hourMs, timeZone) : null)),
      ...(change ? [changeText(change, timeZone)] : []),
    ];
    await notify(ctx, tx, companyId, {
      kind: 'anomaly',
      ...notificationMessages.anomaly(labels[main.metric], main.direction, texts.join(' ')),
      entity: change?.campaignUuid ? { type: 'campaign', uuid: change.campaignUuid } : undefined,
    });
  });
}

const isLittleSpend = ({ metric, direction }: Anomaly): boolean =>
  metric === 'spend' && direction === 'below';

/** Whether an hour spent little because its day had already spent as planned. */
async function isAsPlanned(
  ctx: Context,
  {
    companyId,
    timeZone,
    hourMs,
    budgets,
    unusual,
  }: {
    companyId: string;
    timeZone: string;
    hourMs: number;
    budgets: DailyBudgets;
    unusual: readonly Anomaly[];
  },
): Promise<boolean> {
  if (!budgets.isCapped || !unusual.some(isLittleSpend)) return false;
  const date = dateAt(hourMs, timeZone);
  const [fromMs, endMs] = [startOfDayMs(date, timeZone), startOfDayMs(addDays(date, 1), timeZone)];
  const beforeMs = hourMs + HOUR_MS;
  const spent = toDollars(await spentBetweenMicros(ctx, { companyId }, { fromMs, beforeMs }));
  return isSpentAsPlanned(spent, budgets.dollars, Math.min(1, (beforeMs - fromMs) / (endMs - fromMs)));
}

/** The factor from the spend of a week to the spend of a later week; 1 if either had none. */
function growthOf(fromMicros: Micros, toMicros: Micros): number {
  return fromMicros > 0 && toMicros > 0 ? toMicros / fromMicros : 1;
}

/** The same local time `weeks` weeks earlier. */
function sameHour(hourMs: number, timeZone: string, weeks: number): number {
  const date = dateAt(hourMs, timeZone);
  const sinceMidnightMs = hourMs - startOfDayMs(date, timeZone);
  return startOfDayMs(addDays(date, -7 * weeks), timeZone) + sinceMidnightMs;
}

const keyOf = ({ metric, direction }: Anomaly) => `${metric}:${direction}`;

const labels = { spend: 'Spend', cpi: 'CPI', install_rate: 'Install rate' } as const;

/** `Spend was $80.00 on Mar 11 / 2026 from 12:00 to 13:00 (Europe/Berlin), $69.50 more than usual for this hour.` */
function textOf({ metric, direction, value, baseline }: Anomaly, hour: string | null): string {
  const difference = Math.abs(value - baseline);
  return anomalySentences.figure({
    label: labels[metric],
    value: metric === 'install_rate' ? `${value.toFixed(2)}%` : dollarsText(value),
    hour,
    difference:
      metric === 'install_rate' ? `${difference.toFixed(2)} percentage points` : moneyText(difference),
    comparison: direction === 'above' ? 'more' : 'less',
  });
}

/** `on Mar 11 / 2026 from 12:00 to 13:00 (Europe/Berlin)` */
function hourText(hourMs: number, timeZone: string): string {
  const [date = '', from = ''] = dateTimeAt(hourMs, timeZone).split(' ');
  const to = dateTimeAt(hourMs + HOUR_MS, timeZone).slice(11);
  return `on ${dayText(date)} from ${from} to ${to} (${timeZone})`;
}

function changeText({ name, action, fields, at }: LatestChange, timeZone: string): string {
  const [date = '', time = ''] = dateTimeAt(at.getTime(), timeZone).split(' ');
  return anomalySentences.change({
    name,
    what: action === 'update' ? fields.map(fieldLabel).join(', ') : ACTION_WORDS[action],
    at: `${dayText(date)}, ${time}`,
  });
}

const ACTION_WORDS: Readonly<Record<LatestChange['action'], string>> = {
  update: 'changed',
  start: 'started',
  pause: 'paused',
};

/** An amount in words: `30 cents`, `$1.30`. */
function moneyText(dollars: number): string {
  const cents = Math.round(dollars * 100);
  if (cents >= 100) return dollarsText(dollars);
  return cents === 1 ? '1 cent' : `${cents} cents`;
}

/**
 * Companies that have an Active campaign and are not suspended; for companies that paused theirs, no spend is not an
 * anomaly. Covers all companies: for a background job only.
 */
export async function companiesThatRun(db: Db): Promise<{ companyId: string; timeZone: string }[]> {
  return db
    .selectFrom('companies')
    .select(['uuid as companyId', 'time_zone as timeZone'])
    .where('suspended_at', 'is', null)
    .where((where) =>
      where.exists(
        where
          .selectFrom('campaigns')
          .select('campaigns.uuid')
          .whereRef('campaigns.company_uuid', '=', 'companies.uuid')
          .where('campaigns.status', '=', 'Active'),
      ),
    )
    .orderBy('uuid')
    .execute();
}

/** Anomalies found in an hour; undefined if it has not been checked. */
async function findCheck(db: Db, companyId: string, hour: Date): Promise<string[] | undefined> {
  const row = await db
    .selectFrom('anomaly_checks')
    .select('found')
    .where('company_uuid', '=', companyId)
    .where('hour', '=', hour)
    .executeTakeFirst();
  return row?.found;
}

/** Anomalies that were found in the hours of a period. */
async function findFound(
  db: Db,
  companyId: string,
  { from, before }: { from: Date; before: Date },
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('anomaly_checks')
    .select('found')
    .where('company_uuid', '=', companyId)
    .where('hour', '>=', from)
    .where('hour', '<', before)
    .execute();
  return new Set(rows.flatMap(({ found }) => found));
}

/** A change that may have caused an anomaly. */
interface LatestChange {
  /** The name of the changed entity. */
  name: string;
  action: 'update' | 'start' | 'pause';
  fields: readonly string[];
  /** Null for an ad set in no campaign. */
  campaignUuid: string | null;
  at: Date;
}

/** Names of fields that are listed of a change. */
const FIELDS_MAX = 3;

/**
 * The newest change of a period that affects the delivery of a campaign or an ad set of a company; null without one.
 */
export async function latestChange(
  db: Db,
  companyId: string,
  from: Date,
  before: Date,
): Promise<LatestChange | null> {
  const { rows } = await sql<LatestChange>`
    select c.entity_name as name, c.action, c.created_at as at, effective.fields[1:${sql.raw(String(FIELDS_MAX))}] as fields,
      coalesce(campaign.uuid, adset.campaign_uuid) as "campaignUuid"
    from changes c
    cross join lateral (
      select coalesce(array_agg(one ->> 'field'), '{}') as fields from jsonb_array_elements(c.fields) as one
      where one ->> 'field' not in ('name', 'description', ${UNDO_FIELD})
    ) effective
    left join campaigns campaign on campaign.uuid = c.entity_uuid and campaign.company_uuid = c.company_uuid
    left join adsets adset on adset.uuid = c.entity_uuid and adset.company_uuid = c.company_uuid
    where c.company_uuid = ${companyId} and c.created_at >= ${from} and c.created_at < ${before}
      and c.entity_type in ('campaign', 'adset') and c.action in ('update', 'start', 'pause')
      and (c.action <> 'update' or cardinality(effective.fields) > 0)
    order by c.created_at desc, c.uuid desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Stores the result of a check. False if another server stored it first. */
async function insertCheck(db: Db, companyId: string, hour: Date, found: string[]): Promise<boolean> {
  const row = await db
    .insertInto('anomaly_checks')
    .values({ company_uuid: companyId, hour, found })
    .onConflict((conflict) => conflict.columns(['company_uuid', 'hour']).doNothing())
    .returning('hour')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes checks of hours before an instant, of all companies: for a background job only. */
async function deleteOldChecks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('anomaly_checks').where('hour', '<', before).execute();
}
