import { sql } from 'kysely';
import type { Db } from '../../../platform/postgres/transaction.ts';

/** A company whose last month has no invoice yet. */
export interface DueCompany {
  uuid: string;
  /** YYYY-MM. */
  month: string;
}

/**
 * Companies with billing details whose last month in their time zone was over at an instant, with spend since it began, or any before the
 * first invoice, and no invoice, in the order of their ids. Of all companies, for the job.
 */
export async function dueCompanies(
  db: Db,
  { at, after, limit }: { at: Date; after: string; limit: number },
): Promise<DueCompany[]> {
  const { rows } = await sql<DueCompany>`
    select d.uuid, to_char(d.first_day, 'YYYY-MM') as month
    from (
      select c.uuid, c.time_zone,
        date_trunc('month', ${at}::timestamptz at time zone c.time_zone) - interval '1 month' as first_day
      from companies c join billing_details b on b.company_uuid = c.uuid
      where c.uuid > ${after}
    ) as d
    where not exists (
        select from invoices i where i.company_uuid = d.uuid and i.month >= to_char(d.first_day, 'YYYY-MM'))
      and exists (
        select from ledger_transactions t
        where t.company_uuid = d.uuid and t.kind = 'spend' and (
          t.hour >= d.first_day at time zone d.time_zone
          or not exists (select from invoices i where i.company_uuid = d.uuid)))
    order by d.uuid limit ${limit}`.execute(db);
  return rows;
}
