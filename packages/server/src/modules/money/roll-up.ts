import { addDays, dateAt, startOfDayMs } from '@bidwell/contract/lib/calendar';
import type { Context } from '../../context.ts';
import { daysBefore } from '../../platform/days-before.ts';
import { deleteInBatches } from '../../platform/postgres/delete-in-batches.ts';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { LATENESS_MS } from './posting.ts';
import { lastPostedHourMs } from './spend-store.ts';
import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { exactSum } from '../../platform/postgres/client.ts';
import type { LedgerAccount } from '../../platform/postgres/schema.ts';

const HOUR_MS = 3_600_000;
/** Months, each of a campaign, that are looked for at once. */
const MONTHS_AT_ONCE = 20;

/**
 * Replaces the spend by hours of months that are longer ago than the setting says by one transaction for each campaign and
 * month of the company's time zone. All sums stay the same.
 */
export async function rollUpLedger(ctx: Context): Promise<void> {
  const { config, db, now } = ctx;
  const lastMs = await lastPostedHourMs(db);
  if (lastMs === null) return;
  // Spend that is still to be posted finds its hour.
  const horizonMs = Math.min(daysBefore(now(), config.keptDays.ledgerHours).getTime(), lastMs - LATENESS_MS);
  await deleteInBatches(async (rowsMax) => {
    const campaigns = await campaignsOfHours(db, new Date(horizonMs), MONTHS_AT_ONCE);
    const due = campaigns.map(monthOf).filter(({ until }) => until.getTime() <= horizonMs);
    for (const month of due) await transact(db, async (tx) => rollUpMonth(tx.db, month));
    // The next month of these campaigns may be due too.
    return due.length > 0 ? rowsMax : 0;
  });
}

/** The month of the campaign's oldest hour. An hour belongs to the month in which it begins. */
function monthOf({ companyId, campaignId, name, timeZone, hour }: CampaignOfHours): SpendMonth {
  const month = dateAt(hour.getTime(), timeZone).slice(0, 7);
  const next = addDays(`${month}-01`, 31).slice(0, 7);
  const firstHourOf = (date: string) => new Date(Math.ceil(startOfDayMs(date, timeZone) / HOUR_MS) * HOUR_MS);
  return {
    companyId,
    campaignId,
    from: firstHourOf(`${month}-01`),
    until: firstHourOf(`${next}-01`),
    description: `Campaign "${name}", ${month}`,
  };
}

/** A campaign with spend by hours. */
interface CampaignOfHours {
  companyId: string;
  campaignId: string;
  name: string;
  timeZone: string;
  /** Its oldest hour that is not part of a month. */
  hour: Date;
}

/** Campaigns of all companies with spend by hours from before an instant, the oldest first. */
async function campaignsOfHours(db: Db, before: Date, limit: number): Promise<CampaignOfHours[]> {
  // One index look-up per campaign.
  const { rows } = await sql<CampaignOfHours>`
    select c.company_uuid as "companyId", c.uuid as "campaignId", c.name, o.time_zone as "timeZone", first.hour
    from campaigns c join companies o on o.uuid = c.company_uuid cross join lateral (
      select t.hour from ledger_transactions t
      where t.campaign_uuid = c.uuid and t.hours_until is null order by t.hour limit 1
    ) as first
    where first.hour < ${before}
    order by first.hour, c.uuid limit ${limit}`.execute(db);
  return rows;
}

/** A month of a campaign's spend, from its first whole hour to the first whole hour of the next month. */
interface SpendMonth {
  companyId: string;
  campaignId: string;
  from: Date;
  until: Date;
  description: string;
}

/**
 * Replaces the transactions of the hours of a month by one with their sums, and their entries by one for each account. To be
 * called in a transaction.
 */
async function rollUpMonth(
  db: Db,
  { companyId, campaignId, from, until, description }: SpendMonth,
): Promise<void> {
  const { rows: hours } = await sql<{ uuid: string; micros: Micros; marginMicros: Micros; at: Date }>`
    select uuid, amount_micros as micros, margin_micros as "marginMicros", created_at as at
    from ledger_transactions
    where company_uuid = ${companyId} and campaign_uuid = ${campaignId} and hours_until is null
      and hour >= ${from} and hour < ${until}
    order by hour for update`.execute(db);
  const [first] = hours;
  if (!first) return;
  const uuids = `{${hours.map(({ uuid }) => uuid).join()}}`;
  const { rows: entries } = await sql<{ company: string; account: LedgerAccount; micros: Micros; at: Date }>`
    with removed as (
      delete from ledger_entries where transaction_uuid = any(${uuids}::uuid[]) returning *
    )
    select company_uuid as company, account, ${exactSum(sql`sum(amount_micros)`)} as micros, max(created_at) as at
    from removed group by company_uuid, account`.execute(db);
  const sumOf = (part: 'micros' | 'marginMicros') => hours.reduce((sum, hour) => sum + hour[part], 0);
  await db
    .updateTable('ledger_transactions')
    .set({
      amount_micros: sumOf('micros'),
      margin_micros: sumOf('marginMicros'),
      hours_until: until,
      status: 'success',
      description,
      created_at: hours.at(-1)!.at,
    })
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', first.uuid)
    .execute();
  await sql`
    delete from ledger_transactions where uuid = any(${uuids}::uuid[]) and uuid <> ${first.uuid}`.execute(db);
  if (entries.length === 0) return;
  await db
    .insertInto('ledger_entries')
    .values(
      entries.map(({ company, account, micros, at }) => ({
        uuid: uuidv7(),
        transaction_uuid: first.uuid,
        company_uuid: company,
        account,
        amount_micros: micros,
        created_at: at,
      })),
    )
    .execute();
}

/** The end of the newest month of a company whose spend is not known by hours any more; null without one. */
export async function rolledUpUntil(db: Db, companyId: string): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    select max(months.until) as until from campaigns c cross join lateral (
      select max(t.hours_until) as until from ledger_transactions t
      where t.campaign_uuid = c.uuid and t.hours_until is not null
    ) as months
    where c.company_uuid = ${companyId}`.execute(db);
  return rows[0]!.until;
}

/** For each company whose month at an instant has no spend by hours: the end of that month. */
export async function endsOfMonthsAcross(db: Db, at: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ companyId: string; until: Date }>`
    select c.company_uuid as "companyId", max(months.until) as until from campaigns c cross join lateral (
      select max(t.hours_until) as until from ledger_transactions t
      where t.campaign_uuid = c.uuid and t.hours_until > ${at} and t.hour < ${at}
    ) as months
    where months.until is not null group by c.company_uuid`.execute(db);
  return new Map(rows.map(({ companyId, until }) => [companyId, until]));
}
