import type { Micros } from '@bidwell/contract/lib/money';
import type { TransactionKind } from '@bidwell/contract/finance/schema';
import { sql } from 'kysely';
import { exactSum } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Bounds of a statement: `from` inclusive, `before` exclusive. */
export interface StatementPeriod {
  from: Date;
  before: Date;
}

/** When an entry of the wallet counts: spend in its hour, everything else when it took effect. */
const countsAt = sql<Date>`coalesce(t.hour, e.created_at)`;
const walletOf = (companyId: string) => sql`
  from ledger_entries e join ledger_transactions t on t.uuid = e.transaction_uuid
  where e.company_uuid = ${companyId} and e.account = 'wallet'`;

/** A company's balance at an instant. */
export async function walletMicrosAt(db: Db, companyId: string, at: Date): Promise<Micros> {
  const { rows } = await sql<{ micros: Micros }>`
    select ${exactSum(sql`sum(e.amount_micros)`)} as micros ${walletOf(companyId)} and ${countsAt} < ${at}`.execute(
    db,
  );
  return rows[0]!.micros;
}

/** A movement other than spend, at the instant at which it took effect. */
export interface Movement {
  kind: Exclude<TransactionKind, 'spend'>;
  description: string;
  micros: Micros;
  at: Date;
}

/** Movements of a company's balance other than spend, oldest first. */
export async function movementsIn(
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
export interface DayOfSpend {
  day: string;
  /** Whether it is the spend of a whole month, which the ledger has on the first day with spend. */
  isMonth: boolean;
  campaignId: string;
  campaign: string;
  micros: Micros;
}

/** A company's spend by day of its time zone and campaign, oldest first; not negative. */
export async function spendIn(
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
export async function companyOfStatement(
  db: Db,
  companyId: string,
): Promise<{ name: string; time_zone: string } | undefined> {
  return db
    .selectFrom('companies')
    .select(['name', 'time_zone'])
    .where('uuid', '=', companyId)
    .executeTakeFirst();
}

/** What movements other than spend added to the balances of all companies, by day of UTC since an instant. */
export async function fundsByDay(db: Db, since: Date): Promise<Map<string, Micros>> {
  const { rows } = await sql<{ day: string; micros: Micros }>`
    select to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      ${exactSum(sql`sum(amount_micros)`)} as micros
    from ledger_transactions
    where kind <> 'spend' and status = 'success' and updated_at >= ${since}
    group by 1`.execute(db);
  return new Map(rows.map(({ day, micros }) => [day, micros]));
}
