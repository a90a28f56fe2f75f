import type { Transaction, TransactionQuery } from '@bidwell/contract/finance';
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
 * time zone is one row, which has the uuid of its newest hour and is pending as long as that is; the spend of a whole month stays one of its own.
 */
export async function listFoldedRows(
  db: Db,
  companyId: string,
  { page, limit, status }: TransactionQuery,
  timeZone: string,
): Promise<{ rows: FoldedRow[]; total: number }> {
  const ofStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const { rows } = await sql<FoldedRow & { total: number }>`
    with spend as (
      select *, to_char(hour at time zone ${timeZone}::text, 'YYYY-MM-DD') as day,
        hours_until is not null as is_month
      from ledger_transactions
      where company_uuid = ${companyId} and kind = 'spend' and ${ofStatus}
    ), listed as (
      select (array_agg(uuid order by hour desc, uuid desc))[1] as uuid, 'spend' as kind,
        case when bool_or(status = 'pending') then 'pending' else min(status) end as status,
        ${exactSum(sql`sum(amount_micros)`)} as amount_micros, '' as description, max(hour) as at,
        max(created_at) as created_at, max(updated_at) as updated_at,
        jsonb_build_object('date', day, 'is_month', is_month,
          'campaigns', count(distinct campaign_uuid), 'hours', count(distinct hour)) as folded
      from spend group by day, is_month
      union all
      select uuid, kind, status, amount_micros, description, created_at, created_at, updated_at, null
      from ledger_transactions
      where company_uuid = ${companyId} and kind <> 'spend' and ${ofStatus}
    )
    select uuid, kind, status, amount_micros, description, created_at, updated_at, folded, total
    from (select count(*)::int as total from listed) as counted
    left join lateral (
      select * from listed order by at desc, uuid desc limit ${limit} offset ${(page - 1) * limit}
    ) as shown on true`.execute(db);
  const total = rows[0]?.total ?? 0;
  return { rows: rows.filter(({ uuid }) => uuid !== null), total };
}
