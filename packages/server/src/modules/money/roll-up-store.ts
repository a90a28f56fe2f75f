import type { Micros } from '@bidwell/contract/lib/money';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { exactSum } from '../../platform/postgres/client.ts';
import type { LedgerAccount } from '../../platform/postgres/schema.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** A campaign with spend by hours. */
export interface CampaignOfHours {
  companyId: string;
  campaignId: string;
  name: string;
  timeZone: string;
  /** Its oldest hour that is not part of a month. */
  hour: Date;
}

/** Campaigns of all companies with spend by hours from before an instant, the oldest first. */
export async function campaignsOfHours(db: Db, before: Date, limit: number): Promise<CampaignOfHours[]> {
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

/** A month of a campaign's spend, from its first whole hour to that of the next month. */
export interface SpendMonth {
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
export async function rollUpMonth(
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

/** For each company that has a month in whose course an instant is, and whose spend is not known by hours: its end. */
export async function endsOfMonthsAcross(db: Db, at: Date): Promise<Map<string, Date>> {
  const { rows } = await sql<{ companyId: string; until: Date }>`
    select c.company_uuid as "companyId", max(months.until) as until from campaigns c cross join lateral (
      select max(t.hours_until) as until from ledger_transactions t
      where t.campaign_uuid = c.uuid and t.hours_until > ${at} and t.hour < ${at}
    ) as months
    where months.until is not null group by c.company_uuid`.execute(db);
  return new Map(rows.map(({ companyId, until }) => [companyId, until]));
}
