import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { type Micros, toDollars } from '@bidwell/contract/lib/money';
import type {
  AccountStatement,
  StatementBody,
  StatementLine,
  StatementQuery,
} from '@bidwell/contract/finance/schema';
import type { Statement } from '@bidwell/contract/operator/schema';
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { NotFound } from '../../platform/errors.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { requirePermission } from '../../platform/permissions.ts';
import {
  type DayOfSpend,
  type Movement,
  type StatementPeriod,
  companyOfStatement,
  movementsIn,
  spendIn,
  walletMicrosAt,
} from './statement-store.ts';

/**
 * The movements of a company's balance in a month (YYYY-MM) of its time zone. The closing balance is read
 * from the ledger, not added up, so a statement that does not sum shows a fault of the ledger. Throws NotFound.
 */
export async function readStatement(
  ctx: Context,
  operator: Operator,
  { companyId, month }: { companyId: string; month: string },
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
  // At one moment: a movement that is booked meanwhile would be in one figure and not in another.
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

/** Says what the media spend of a day, or of a month that the ledger has as one, is of. Pure. */
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
