import type { CreatedRange } from '@bidwell/contract/wire';
import { createdBounds } from '@bidwell/contract/wire';
import type { Selectable } from 'kysely';
import type { Schema } from './schema.ts';
import type { Db } from './transaction.ts';

/** Tables whose rows belong to a company and have an id and a time of creation. */
type OwnedTable = 'campaigns' | 'targets' | 'tracking_links';
type Row<Table extends OwnedTable> = Selectable<Schema[Table]>;

/** A query of a company's rows. Kysely cannot type a union of tables: their common columns are those of any. */
const rowsOf = (db: Db, table: OwnedTable, companyId: string) =>
  db
    .selectFrom(table as 'targets')
    .selectAll()
    .where('company_uuid', '=', companyId);

/** The rows of a company that were created in a range of days, latest first. */
export async function listOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  range: CreatedRange,
): Promise<Row<Table>[]> {
  const { from, before } = createdBounds(range);
  const rows = await rowsOf(db, table, companyId)
    .where('created_at', '>=', from)
    .where('created_at', '<', before)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
  return rows as unknown as Row<Table>[];
}

/** A row of a company; undefined if it has none with the id. */
export async function findOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
): Promise<Row<Table> | undefined> {
  const row = await rowsOf(db, table, companyId).where('uuid', '=', uuid).executeTakeFirst();
  return row as unknown as Row<Table> | undefined;
}

/** Like {@link findOwned}, locked until the transaction ends. */
export async function lockOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
): Promise<Row<Table> | undefined> {
  const row = await rowsOf(db, table, companyId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
  return row as unknown as Row<Table> | undefined;
}
