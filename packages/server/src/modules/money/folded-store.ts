import type { Transaction, TransactionQuery } from '@bidwell/contract/finance/schema';
import { sql } from 'kysely';
import { exactSum } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { TransactionRow } from './store.ts';

/** A transaction, or the media spend of a day as one. */
export interface FoldedRow extends Pick<
  TransactionRow,
  'uuid' | 'kind' | 'status' | 'amount_micros' | 'description' | 'created_at' | 'updated_at'
> {
  folded: NonNullable<Transaction['folded']> | null;
}

/**
 * One page of a company's transactions, the newest first, and the number of all rows. The media spend of a day of the
 * time zone is one row, which has the uuid of its newest hour and is pending as long as one of its hours is; the spend of a whole
 * month stays one of its own. Of the hours of all days only what orders the rows is read, their sums for those of the page.
 */
export async function listFoldedRows(
  db: Db,
  companyId: string,
  { page, limit, status }: TransactionQuery,
  timeZone: string,
): Promise<{ rows: FoldedRow[]; total: number }> {
  const ofStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const { rows } = await sql<FoldedRow & { total: number }>`
    with days as (
      select (hour at time zone ${timeZone}::text)::date as day, hours_until is not null as is_month,
        min(hour) as from_hour, max(hour) as at,
        case when bool_or(status = 'pending') then 'pending' else min(status) end as status
      from ledger_transactions
      where company_uuid = ${companyId} and kind = 'spend'
      group by 1, 2
    ), listed as (
      select null::uuid as own_uuid, day, is_month, from_hour, at, status from days
      union all
      select uuid, null, null, null, created_at, status from ledger_transactions
      where company_uuid = ${companyId} and kind <> 'spend'
    ), filtered as (
      select * from listed where ${ofStatus}
    ), shown as (
      select * from filtered order by at desc, own_uuid desc limit ${limit} offset ${(page - 1) * limit}
    )
    select coalesce(spend.uuid, own.uuid) as uuid, coalesce(own.kind, 'spend') as kind, shown.status,
      coalesce(spend.amount_micros, own.amount_micros) as amount_micros, coalesce(own.description, '') as description,
      coalesce(spend.created_at, own.created_at) as created_at, coalesce(spend.updated_at, own.updated_at) as updated_at,
      spend.folded, counted.total
    from (select count(*)::int as total from filtered) as counted
    left join shown on true
    left join ledger_transactions as own on own.uuid = shown.own_uuid
    left join lateral (
      select (array_agg(uuid order by hour desc, uuid desc))[1] as uuid,
        ${exactSum(sql`sum(amount_micros)`)} as amount_micros,
        max(created_at) as created_at, max(updated_at) as updated_at,
        jsonb_build_object('date', to_char(shown.day, 'YYYY-MM-DD'), 'is_month', shown.is_month,
          'campaigns', count(distinct campaign_uuid), 'hours', count(distinct hour)) as folded
      from ledger_transactions
      where company_uuid = ${companyId} and kind = 'spend' and hour between shown.from_hour and shown.at
        and (hours_until is not null) = shown.is_month
    ) as spend on shown.day is not null
    order by shown.at desc, shown.own_uuid desc`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { rows: rows.filter(({ uuid }) => uuid !== null), total };
}
