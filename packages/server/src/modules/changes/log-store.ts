import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/**
 * A page of a log, newest first, and the number of all its rows: of one company, or, for operators, of all. `columns` are those
 * of the page.
 */
export async function pageOfLog<Row>(
  db: Db,
  companyId: string | undefined,
  { table, columns }: { table: 'changes' | 'operator_acts'; columns: RawBuilder<Row> },
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: Row[]; total: number }> {
  const matching = sql`${sql.table(table)}
    ${companyId === undefined ? sql`` : sql`where company_uuid = ${companyId}`}`;
  const { rows } = await sql<Row>`
    with page as (
      select * from ${matching}
      order by created_at desc, uuid desc limit ${limit} offset ${(page - 1) * limit}
    )
    select ${columns} from page order by created_at desc, uuid desc`.execute(db);
  const { rows: counts } = await sql<{ total: number }>`
    select count(*)::int as total from ${matching}`.execute(db);
  return { rows, total: counts[0]!.total };
}
