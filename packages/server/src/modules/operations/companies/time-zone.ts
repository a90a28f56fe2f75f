import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import type { Context } from '../../../context.ts';
import type { Author } from '../../../platform/actor.ts';
import { Invalid } from '../../../platform/errors.ts';
import type { Tx, Db } from '../../../platform/postgres/transaction.ts';
import { adsetSpendSince } from '../../reporting/public.ts';
import { recordChange } from '../../changes/public.ts';
import { notify } from '../../messaging/public.ts';
import { type CompanyRow, updateCompany } from './company-store.ts';
import { databaseNowMs } from '../../../platform/postgres/database-clock.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { json } from '../../../platform/postgres/client.ts';

const DAY_MS = 86_400_000;

/**
 * The day that a budget goes on with after a change of the time zone: it ends with the first midnight of the new time zone that is not
 * before the end of the running day, or a day from now if that is sooner. So a day is never cut short, for any sequence of zones,
 * and lasts for three days at most. Pure.
 */
export function carriedDay(
  { day, micros }: Pick<BudgetDay, 'day' | 'micros'>,
  { from, to, nowMs }: { from: string; to: string; nowMs: number },
): Pick<BudgetDay, 'day' | 'micros'> {
  const today = dateAt(nowMs, from);
  const running = day > today ? day : today;
  const endMs = Math.min(startOfDayMs(addDays(running, 1), from), nowMs + DAY_MS);
  const next = dateAt(endMs - 1, to);
  return { day: next > day ? next : day, micros: day >= today ? micros : 0 };
}

/**
 * Changes the time zone of a company's days, and notifies it. Daily budgets go on with the spend of their running day, as
 * {@link carriedDay} says, or since midnight of the new time zone if that is more; of the latter, spend of the last second, whose events
 * are not stored yet, may be missing. `by` is who the change
 * log names, an operator unless given; the caller's transaction writes an operator's audit entry. Throws Invalid.
 */
export async function changeTimeZone(
  ctx: Context,
  tx: Tx,
  { uuid, name, time_zone: before }: CompanyRow,
  timeZone: string,
  by: Author = { companyId: uuid, userId: null },
): Promise<void> {
  if (!(await isKnownTimeZone(tx.db, timeZone)))
    throw new Invalid([{ field: 'time_zone', message: accountMessages.timeZone }]);
  await updateCompany(tx.db, uuid, { time_zone: timeZone });
  const days = await lockBudgetDays(tx.db, uuid);
  const nowMs = await databaseNowMs(tx.db);
  const spent = await adsetSpendSince(ctx, uuid, startOfDayMs(dateAt(nowMs, timeZone), timeZone));
  const carried = days.map((each) => {
    const { day, micros } = carriedDay(each, { from: before, to: timeZone, nowMs });
    return { adset: each.adset, day, micros: Math.max(micros, spent.get(each.adset) ?? 0) };
  });
  await replaceBudgetDays(tx.db, uuid, carried);
  const countries = await lockCountryDays(tx.db, uuid);
  await replaceCountryDays(
    tx.db,
    uuid,
    countries.map((each) => ({ ...each, ...carriedDay(each, { from: before, to: timeZone, nowMs }) })),
  );
  await recordChange(ctx, tx, by, {
    entity: 'company',
    uuid,
    name,
    before: { time_zone: before },
    after: { time_zone: timeZone },
  });
  await notify(ctx, tx, uuid, {
    kind: 'company',
    ...notificationMessages.timeZoneChanged(timeZone),
    entity: { type: 'company', uuid },
  });
}

/** Whether PostgreSQL knows a time zone by this name. */
async function isKnownTimeZone(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql`select from pg_timezone_names where name = ${name}`.execute(db);
  return rows.length > 0;
}

/** The running day of the daily budget of an ad set, and its spend. */
interface BudgetDay {
  adset: string;
  /** YYYY-MM-DD. */
  day: string;
  micros: Micros;
}

/** The days of a company's ad sets, which are locked until the transaction ends, so that no spend is booked meanwhile. */
async function lockBudgetDays(db: Db, companyId: string): Promise<BudgetDay[]> {
  return db
    .selectFrom('adset_spend')
    .select(['adset_uuid as adset', sql<string>`day::text`.as('day'), 'day_micros as micros'])
    .where('company_uuid', '=', companyId)
    .orderBy('adset_uuid')
    .forUpdate()
    .execute();
}

/** Replaces the days of a company's ad sets. */
async function replaceBudgetDays(db: Db, companyId: string, days: readonly BudgetDay[]): Promise<void> {
  await sql`
    update adset_spend s set day = n.day, day_micros = n.micros
    from jsonb_to_recordset(${json(days)}::jsonb) as n (adset uuid, day date, micros bigint)
    where n.adset = s.adset_uuid and s.company_uuid = ${companyId}`.execute(db);
}

/** The running day of the daily budget of an ad set in a country. */
interface CountryDay extends BudgetDay {
  country: string;
}

/** The same of the countries. The ad sets are locked before, as bookings lock them. */
async function lockCountryDays(db: Db, companyId: string): Promise<CountryDay[]> {
  return db
    .selectFrom('country_spend')
    .select(['adset_uuid as adset', 'country', sql<string>`day::text`.as('day'), 'day_micros as micros'])
    .where('company_uuid', '=', companyId)
    .orderBy('adset_uuid')
    .orderBy('country')
    .forUpdate()
    .execute();
}

/** Replaces the days of countries. As for a new budget, spend since the midnight of the new time zone is added from the events. */
async function replaceCountryDays(db: Db, companyId: string, days: readonly CountryDay[]): Promise<void> {
  await sql`
    update country_spend s set day = n.day, day_micros = n.micros, created_at = clock_timestamp()
    from jsonb_to_recordset(${json(days)}::jsonb) as n (adset uuid, country text, day date, micros bigint)
    where n.adset = s.adset_uuid and n.country = s.country and s.company_uuid = ${companyId}`.execute(db);
}
