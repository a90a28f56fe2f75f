import { NotFound } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type ChannelRow, findChannelRow } from './channel-store.ts';

/** A channel of a company. Throws NotFound. */
export async function requireChannel(db: Db, companyId: string, uuid: string): Promise<ChannelRow> {
  const row = await findChannelRow(db, companyId, uuid);
  if (!row) throw new NotFound('Channel');
  return row;
}
