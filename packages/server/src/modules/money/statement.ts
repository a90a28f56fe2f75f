import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type {
  AccountStatement,
  StatementBody,
  StatementLine,
  StatementQuery,
  TransactionKind,
} from '@bidwell/contract/finance/schema';
import type { Statement, RevenueDay } from '@bidwell/contract/operator/schema';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { NotFound } from '../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { sql } from 'kysely';
import { exactSum } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import { costsOfDays } from '../reporting/public.ts';

/**
 * The movements of a company's balance in a month (YYYY-MM) of its time zone. The closing balance is read
 * from the ledger, not added up, so a statement that does not sum shows a fault of the ledger. Throws NotFound.
 */
export async function readStatement(
  ctx: Context,
  operator: Operator,
  { uuid: companyId, month }: { uuid: string; month: string },
): Promise<Statement> {
  requireOperatorPermission(operator, 'company.read');
  const company = await companyOfStatement(ctx.db, companyId);
  if (!company) throw new NotFound('Company');
  const { time_zone: timeZone, name } = company;
  const body = await bodyOf(ctx, companyId, periodOfMonth(month, timeZone), timeZone);
  return { company_uuid: companyId, company_name: name, month, ...body };
}

/**
 * The movements of the balance of the actor's company from the first to the last day of a range, in the company's time
 * zone. Throws NotFound.
 */
export async function readAccountStatement(
  ctx: Context,
  actor: Actor,
  { start_date: start, end_date: end }: StatementQuery,
): Promise<AccountStatement> {
  requirePermission(actor, 'money.read');
  const { companyId } = actor;
  const company = await companyOfStatement(ctx.db, companyId);
  if (!company) throw new NotFound('Company');
  const period = {
    from: new Date(startOfDayMs(start, company.time_zone)),
    before: new Date(startOfDayMs(addDays(end, 1), company.time_zone)),
  };
  return {
    start_date: start,
    end_date: end,
    ...(await bodyOf(ctx, companyId, period, company.time_zone)),
  };
}

async function bodyOf(
  { db, now }: Context,
  companyId: string,
  period: StatementPeriod,
  timeZone: string,
): Promise<z.infer<typeof StatementBody>> {
  // One snapshot: otherwise a movement booked in between would be in one figure and not in another.
  const read = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => ({
      opening: await walletMicrosAt(tx, companyId, period.from),
      closing: await walletMicrosAt(tx, companyId, period.before),
      movements: await movementsIn(tx, companyId, period),
      spend: await spendIn(tx, companyId, period, timeZone),
    }));
  return {
    time_zone: timeZone,
    open: now() < period.before,
    opening: toDollars(read.opening),
    closing: toDollars(read.closing),
    totals: totalsOf(read.movements, read.spend),
    lines: linesOf(read.opening, read.movements, read.spend, timeZone),
    campaigns: campaignsOf(read.spend),
  };
}

function periodOfMonth(month: string, timeZone: string): StatementPeriod {
  const first = `${month}-01`;
  const next = `${addDays(first, 31).slice(0, 7)}-01`;
  return { from: new Date(startOfDayMs(first, timeZone)), before: new Date(startOfDayMs(next, timeZone)) };
}

function totalsOf(movements: readonly Movement[], spend: readonly DayOfSpend[]): Statement['totals'] {
  const sumOf = (kind: Movement['kind']) =>
    toDollars(movements.reduce((sum, movement) => sum + (movement.kind === kind ? movement.micros : 0), 0));
  return {
    top_up: sumOf('top_up'),
    credit: sumOf('credit'),
    debit: sumOf('debit'),
    spend: toDollars(-spend.reduce((sum, { micros }) => sum + micros, 0) || 0),
  };
}

/** All movements by day, each with the balance after it; the spend of a day is one movement, the last of the day. */
function linesOf(
  openingMicros: Micros,
  movements: readonly Movement[],
  spend: readonly DayOfSpend[],
  timeZone: string,
): StatementLine[] {
  const lines = [
    ...movements.map(({ kind, description, micros, at }) => ({
      date: dateAt(at.getTime(), timeZone),
      kind,
      description,
      micros,
    })),
    ...spendLinesOf(spend),
  ].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  let balance = openingMicros;
  return lines.map(({ micros, ...line }) => {
    balance += micros;
    return { ...line, amount: toDollars(micros), balance: toDollars(balance) };
  });
}

function spendLinesOf(spend: readonly DayOfSpend[]) {
  const days = new Map<string, { micros: Micros; campaigns: number; isMonth: boolean }>();
  for (const { day, isMonth, micros } of spend) {
    const known = days.get(day) ?? { micros: 0, campaigns: 0, isMonth: false };
    days.set(day, {
      micros: known.micros + micros,
      campaigns: known.campaigns + 1,
      isMonth: known.isMonth || isMonth,
    });
  }
  return [...days].map(([date, { micros, campaigns, isMonth }]) => ({
    date,
    kind: 'spend' as const,
    description: spendText(campaigns, isMonth),
    micros: -micros,
  }));
}

/** The description of the media spend of a day, or of a month that the ledger has as one. Pure. */
export function spendText(campaigns: number, isMonth: boolean): string {
  return `Media spend of ${campaigns} campaign${campaigns === 1 ? '' : 's'}${isMonth ? ' in the month' : ''}`;
}

function campaignsOf(spend: readonly DayOfSpend[]): Statement['campaigns'] {
  const campaigns = new Map<string, { name: string; micros: Micros }>();
  for (const { campaignId, campaign, micros } of spend) {
    const known = campaigns.get(campaignId)?.micros ?? 0;
    campaigns.set(campaignId, { name: campaign, micros: known + micros });
  }
  return [...campaigns]
    .sort(([, a], [, b]) => b.micros - a.micros)
    .map(([uuid, { name, micros }]) => ({ uuid, name, spend: toDollars(micros) }));
}

/** Bounds of a statement: `from` inclusive, `before` exclusive. */
interface StatementPeriod {
  from: Date;
  before: Date;
}

const walletOf = (companyId: string) => sql`
  from ledger_entries e join ledger_transactions t on t.uuid = e.transaction_uuid
  where e.company_uuid = ${companyId} and e.account = 'wallet'`;

/** When an entry of the wallet counts: spend in its hour, everything else when it took effect. */
const countsAt = sql<Date>`coalesce(t.hour, e.created_at)`;

/** A company's balance at an instant. */
async function walletMicrosAt(db: Db, companyId: string, at: Date): Promise<Micros> {
  const { rows } = await sql<{ micros: Micros }>`
    select ${exactSum(sql`sum(e.amount_micros)`)} as micros ${walletOf(companyId)} and ${countsAt} < ${at}`.execute(
    db,
  );
  return rows[0]!.micros;
}

/** A movement other than spend, at the instant at which it took effect. */
interface Movement {
  kind: Exclude<TransactionKind, 'spend'>;
  description: string;
  micros: Micros;
  at: Date;
}

/** Movements of a company's balance other than spend, oldest first. */
async function movementsIn(
  db: Db,
  companyId: string,
  { from, before }: StatementPeriod,
): Promise<Movement[]> {
  const { rows } = await sql<Movement>`
    select t.kind, t.description, e.amount_micros as micros, e.created_at as at ${walletOf(companyId)}
      and t.kind <> 'spend' and e.created_at >= ${from} and e.created_at < ${before}
    order by e.created_at, e.uuid`.execute(db);
  return rows;
}

/** Spend of one campaign on one day of the time zone. */
interface DayOfSpend {
  day: string;
  /** Whether it is the spend of a whole month, which the ledger has on the first day with spend. */
  isMonth: boolean;
  campaignId: string;
  campaign: string;
  micros: Micros;
}

/** A company's spend by day of its time zone and campaign, oldest first; not negative. */
async function spendIn(
  db: Db,
  companyId: string,
  { from, before }: StatementPeriod,
  timeZone: string,
): Promise<DayOfSpend[]> {
  const { rows } = await sql<DayOfSpend>`
    select s.day, s."isMonth", s.campaign_uuid as "campaignId", c.name as campaign, s.micros
    from (
      select to_char(t.hour at time zone ${timeZone}::text, 'YYYY-MM-DD') as day, t.campaign_uuid,
        bool_or(t.hours_until is not null) as "isMonth", ${exactSum(sql`-sum(e.amount_micros)`)} as micros
      ${walletOf(companyId)} and t.kind = 'spend' and t.hour >= ${from} and t.hour < ${before}
      group by 1, 2
    ) as s join campaigns c on c.uuid = s.campaign_uuid
    order by s.day, c.name, c.uuid`.execute(db);
  return rows;
}

/** Name and time zone of a company. */
async function companyOfStatement(
  db: Db,
  companyId: string,
): Promise<{ name: string; time_zone: string } | undefined> {
  return db
    .selectFrom('companies')
    .select(['name', 'time_zone'])
    .where('uuid', '=', companyId)
    .executeTakeFirst();
}

/** The amounts that movements other than spend added to the balances of all companies, by day of UTC since an instant. */
async function fundsByDay(db: Db, since: Date): Promise<Map<string, Micros>> {
  const { rows } = await sql<{ day: string; micros: Micros }>`
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      ${exactSum(sql`sum(amount_micros)`)} as micros
    from ledger_transactions
    where kind <> 'spend' and status = 'success' and updated_at >= ${since}
    group by 1`.execute(db);
  return new Map(rows.map(({ day, micros }) => [day, micros]));
}

/**
 * Spend of all companies, the media cost and the margin in it, and the amounts added to their balances, on each of the last
 * `days` days of UTC.
 */
export async function readRevenue(
  ctx: Context,
  operator: Operator,
  { days }: { days: number },
): Promise<RevenueDay[]> {
  requireOperatorPermission(operator, 'money.read');
  const today = dateAt(ctx.now().getTime(), 'UTC');
  const first = addDays(today, 1 - days);
  const [costs, funds] = await Promise.all([
    costsOfDays(ctx, first),
    fundsByDay(ctx.db, new Date(`${first}T00:00:00Z`)),
  ]);
  return Array.from({ length: days }, (_, index) => {
    const date = addDays(first, index);
    const { spendMicros, marginMicros } = costs.get(date) ?? { spendMicros: 0, marginMicros: 0 };
    return {
      date,
      spend: toDollars(spendMicros),
      media: toDollars(spendMicros - marginMicros),
      margin: toDollars(marginMicros),
      funds: toDollars(funds.get(date) ?? 0),
    };
  });
}
