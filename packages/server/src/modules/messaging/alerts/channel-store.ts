import type { Selectable, Updateable } from 'kysely';
import type { AlertChannelTable } from '../../../platform/postgres/alert-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Place } from '../../../platform/encryption.ts';

export type ChannelRow = Selectable<AlertChannelTable>;

/** The channels of a company, in the order of their creation. */
export async function listChannelRows(db: Db, companyId: string): Promise<ChannelRow[]> {
  return db
    .selectFrom('alert_channels')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at')
    .orderBy('uuid')
    .execute();
}

export async function findChannelRow(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<ChannelRow | undefined> {
  return db
    .selectFrom('alert_channels')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
}

/** The same, locked until the transaction ends. */
export async function lockChannelRow(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<ChannelRow | undefined> {
  return db
    .selectFrom('alert_channels')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .forUpdate()
    .executeTakeFirst();
}

/** Locks a company until the transaction ends, against two additions at once, and returns the number of its channels. */
export async function countChannelsLocked(db: Db, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('alert_channels')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertChannel(
  db: Db,
  companyId: string,
  row: Omit<ChannelRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('alert_channels')
    .values({ ...row, company_uuid: companyId })
    .execute();
}

export async function updateChannelRow(
  db: Db,
  companyId: string,
  uuid: string,
  values: Updateable<AlertChannelTable>,
): Promise<void> {
  await db
    .updateTable('alert_channels')
    .set(values)
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

export async function deleteChannelRow(db: Db, companyId: string, uuid: string): Promise<void> {
  await db
    .deleteFrom('alert_channels')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

/** A channel of a company. Throws NotFound. */
export async function requireChannel(db: Db, companyId: string, uuid: string): Promise<ChannelRow> {
  const row = await findChannelRow(db, companyId, uuid);
  if (!row) throw new NotFound('Channel');
  return row;
}

/** Where the secret of a channel is stored. */
export function channelSecretPlace(uuid: string): Place {
  return { table: 'alert_channels', column: 'secret', row: uuid };
}
