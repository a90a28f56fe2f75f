import type { Selectable } from 'kysely';
import type { AlertChannelTable } from '../../../platform/postgres/alert-tables.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { Place } from '../../../platform/encryption.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';

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

/** A channel of a company. Throws NotFound. */
export async function requireChannel(db: Db, companyId: string, uuid: string): Promise<ChannelRow> {
  const row = await findOwned(db, 'alert_channels', companyId, uuid);
  if (!row) throw new NotFound('Channel');
  return row;
}

/** Where the secret of a channel is stored. */
export function channelSecretPlace(uuid: string): Place {
  return { table: 'alert_channels', column: 'secret', row: uuid };
}
