import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { StatementQuery } from '@bidwell/contract/finance/schema';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type { ReconciledAmounts, Reconciliation } from '@bidwell/contract/finance/reconciliation';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { timeZoneOf } from '../identity/public.ts';
import { spendByBucket, withinReportLimits } from '../reporting/public.ts';
import { retainedSinceMs } from './ledger-check.ts';
import { rolledUpUntil } from './roll-up.ts';
import { sql } from 'kysely';
import type { ClickHouse, QuerySettings } from '../../platform/clickhouse/client.ts';
import { clickhouseTime } from '../../platform/clickhouse/time.ts';
import { exactSum } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

const HOUR_MS = 3_600_000;
/** Events reach the ledger within seconds; an hour is compared once it has been over for this long. */
const SETTLED_MS = 2 * 60_000;

interface Spend {
  reports: Micros;
  ledger: Micros;
  log: Micros;
  charges: number;
}

/**
 * Compares the spend of a range of days in the company's time zone as three sources have it: the aggregates of the reports,
 * the ledger, and the charges of the events added up. A day begins with its first whole hour of UTC, as in the ledger. Throws
 * Invalid when there are more events than a report may read.
 */
export async function reconcileSpend(
  ctx: Context,
  actor: Actor,
  { start_date: start, end_date: end }: StatementQuery,
): Promise<Reconciliation> {
  requirePermission(actor, 'report.read');
  const { companyId } = actor;
  const timeZone = await timeZoneOf(ctx.db, companyId);
  const buckets = daysBetween(start, end, timeZone);
  const span = await spanOf(ctx, companyId, buckets);
  const days = new Map<string, Spend>();
  const dayOf = (date: string): Spend => {
    let day = days.get(date);
    if (!day) days.set(date, (day = { reports: 0, ledger: 0, log: 0, charges: 0 }));
    return day;
  };
  if (span.fromMs < span.beforeMs) {
    const [reported, logged, posted] = await Promise.all([
      spendByBucket(ctx, companyId, span, buckets),
      withinReportLimits(ctx, (settings) => chargesByHour(ctx.clickhouse, companyId, span, settings)),
      postedByHour(ctx.db, companyId, span),
    ]);
    for (const [date, micros] of reported) if (micros !== 0) dayOf(date).reports += micros;
    // An hour belongs to the day on which it starts.
    for (const { hourMs, micros } of posted) dayOf(dateAt(hourMs, timeZone)).ledger += micros;
    for (const { hourMs, micros, charges } of logged) {
      const day = dayOf(dateAt(hourMs, timeZone));
      day.log += micros;
      day.charges += charges;
    }
  }
  const total = { reports: 0, ledger: 0, log: 0, charges: 0 };
  for (const day of days.values())
    for (const part of ['reports', 'ledger', 'log', 'charges'] as const) total[part] += day[part];
  return {
    time_zone: timeZone,
    from: new Date(span.fromMs).toISOString(),
    before: new Date(span.beforeMs).toISOString(),
    days: [...days]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([date, day]) => ({ date, ...amountsOf(day) })),
    total: amountsOf(total),
  };
}

function amountsOf({ reports, ledger, log, charges }: Spend): ReconciledAmounts {
  return {
    reports: toDollars(reports),
    ledger: toDollars(ledger),
    log: toDollars(log),
    charges,
    agrees: reports === ledger && ledger === log,
  };
}

interface Day {
  startMs: number;
  value: string;
}

/** The first whole hours of the days of a range, and of the day after it. */
function daysBetween(start: string, end: string, timeZone: string): Day[] {
  const days: Day[] = [];
  const after = addDays(end, 1);
  for (let value = start; value <= after; value = addDays(value, 1))
    days.push({ startMs: Math.ceil(startOfDayMs(value, timeZone) / HOUR_MS) * HOUR_MS, value });
  return days;
}

async function spanOf(ctx: Context, companyId: string, days: readonly Day[]): Promise<HourSpan> {
  const settledMs = ctx.now().getTime() - SETTLED_MS;
  // The ledger has no days for months before this.
  const hoursSinceMs = (await rolledUpUntil(ctx.db, companyId))?.getTime() ?? 0;
  const fromMs = Math.max(days[0]!.startMs, retainedSinceMs(ctx), hoursSinceMs);
  const beforeMs = Math.min(days.at(-1)!.startMs, Math.floor(settledMs / HOUR_MS) * HOUR_MS);
  return { fromMs, beforeMs: Math.max(fromMs, beforeMs) };
}

/** A span of whole hours of UTC, Unix ms. */
interface HourSpan {
  fromMs: number;
  beforeMs: number;
}

/** Spend of one hour of UTC. */
interface HourlySpend {
  hourMs: number;
  micros: Micros;
}

/** Charges of a company in the events themselves, by hour of UTC, without test traffic. No aggregate is read. */
async function chargesByHour(
  clickhouse: ClickHouse,
  companyId: string,
  { fromMs, beforeMs }: HourSpan,
  settings: QuerySettings,
): Promise<readonly (HourlySpend & { charges: number })[]> {
  return clickhouse.query<HourlySpend & { charges: number }>(
    `select toUnixTimestamp(toStartOfHour(time)) * 1000 as hourMs, sum(spend_micros) as micros, count() as charges
     from events
     where company_id = {company:UUID} and test = 0 and spend_micros <> 0
       and time >= {from:DateTime64(3, 'UTC')} and time < {before:DateTime64(3, 'UTC')}
     group by hourMs`,
    { company: companyId, from: clickhouseTime(fromMs), before: clickhouseTime(beforeMs) },
    'JSON',
    { ...settings, optimize_use_projections: 0 },
  );
}

/** The spend that the ledger has taken from the balance of a company, by hour of UTC. */
async function postedByHour(
  db: Db,
  companyId: string,
  { fromMs, beforeMs }: HourSpan,
): Promise<HourlySpend[]> {
  const { rows } = await sql<{ hour: Date; micros: Micros }>`
    select t.hour, ${exactSum(sql`-sum(e.amount_micros)`)} as micros
    from ledger_entries e join ledger_transactions t on t.uuid = e.transaction_uuid
    where e.company_uuid = ${companyId} and e.account = 'wallet' and t.kind = 'spend'
      and t.hour >= ${new Date(fromMs)} and t.hour < ${new Date(beforeMs)}
    group by t.hour`.execute(db);
  return rows.map(({ hour, micros }) => ({ hourMs: hour.getTime(), micros }));
}
