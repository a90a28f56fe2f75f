import { type CreatedRange, createdBounds } from '@bidwell/contract/lib/wire';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Schema } from '../schema.ts';
import { lockCompanyRow } from '../locks.ts';
import type { Db } from '../transaction.ts';

/** Tables whose rows belong to a company and have an id and a time of creation. */
type OwnedTable =
  | 'adsets'
  | 'alert_channels'
  | 'alert_deliveries'
  | 'alert_rules'
  | 'api_tokens'
  | 'apps'
  | 'audience_imports'
  | 'audience_uploads'
  | 'audiences'
  | 'campaign_drafts'
  | 'campaigns'
  | 'changes'
  | 'comments'
  | 'creative_groups'
  | 'creatives'
  | 'files'
  | 'internal_creatives'
  | 'invoices'
  | 'ledger_transactions'
  | 'partner_cost_uploads'
  | 'postback_copies'
  | 'report_destinations'
  | 'report_runs'
  | 'report_schedules'
  | 'targets'
  | 'tracking_links';
/** A row of such a table. */
export type OwnedRow<Table extends OwnedTable> = Selectable<Schema[Table]>;

/** The times of a row as its response body has them. */
export function presentTimes(row: { created_at: Date; updated_at: Date; archived_at: Date | null }) {
  return {
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
  };
}

/** A query of a company's rows. Kysely cannot type a union of tables: any of them has the common columns. */
const rowsOf = (db: Db, table: OwnedTable, companyId: string) =>
  db
    .selectFrom(table as 'targets')
    .selectAll()
    .where('company_uuid', '=', companyId);

/** The rows of a company, or those that were created in a range of days, latest first. */
export async function listOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  range?: CreatedRange,
): Promise<OwnedRow<Table>[]> {
  const bounds = range && createdBounds(range);
  const rows = await rowsOf(db, table, companyId)
    .$if(bounds !== undefined, (query) =>
      query.where('created_at', '>=', bounds!.from).where('created_at', '<', bounds!.before),
    )
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();
  return rows as unknown as OwnedRow<Table>[];
}

/** A row of a company; undefined if it has none with the id. */
export async function findOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
): Promise<OwnedRow<Table> | undefined> {
  const row = await rowsOf(db, table, companyId).where('uuid', '=', uuid).executeTakeFirst();
  return row as unknown as OwnedRow<Table> | undefined;
}

/** Like {@link findOwned}, locked until the transaction ends. */
export async function lockOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
): Promise<OwnedRow<Table> | undefined> {
  const row = await rowsOf(db, table, companyId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
  return row as unknown as OwnedRow<Table> | undefined;
}

/** Like {@link lockOwned}, but others may lock the row in this way at the same time: none of them changes it. */
export async function lockOwnedShared<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
): Promise<OwnedRow<Table> | undefined> {
  const row = await rowsOf(db, table, companyId).where('uuid', '=', uuid).forShare().executeTakeFirst();
  return row as unknown as OwnedRow<Table> | undefined;
}

/** Locks a company until the transaction ends, against two additions at once, and returns the number of its rows. */
export async function countOwnedLocked(db: Db, table: OwnedTable, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom(table as 'targets')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Inserts a row of a company and returns it. */
export async function insertOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  row: Omit<Insertable<Schema[Table]>, 'company_uuid'>,
): Promise<OwnedRow<Table>> {
  const inserted = await db
    .insertInto(table as 'targets')
    .values({ ...row, company_uuid: companyId } as unknown as Insertable<Schema['targets']>)
    .returningAll()
    .executeTakeFirstOrThrow();
  return inserted as unknown as OwnedRow<Table>;
}

/** Changes a row that the company has, and returns it. Throws if the company has no such row. */
export async function updateOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
  changes: Updateable<Schema[Table]>,
): Promise<OwnedRow<Table>> {
  const updated = await db
    .updateTable(table as 'targets')
    .set(changes as Updateable<Schema['targets']>)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();
  return updated as unknown as OwnedRow<Table>;
}

/** Changes a row of a company; does nothing if the company has no such row. */
export async function setOwned<Table extends OwnedTable>(
  db: Db,
  table: Table,
  companyId: string,
  uuid: string,
  changes: Updateable<Schema[Table]>,
): Promise<void> {
  await db
    .updateTable(table as 'targets')
    .set(changes as Updateable<Schema['targets']>)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** Deletes a row of a company; does nothing if the company has no such row. */
export async function deleteOwned(db: Db, table: OwnedTable, companyId: string, uuid: string): Promise<void> {
  await db
    .deleteFrom(table as 'targets')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}
