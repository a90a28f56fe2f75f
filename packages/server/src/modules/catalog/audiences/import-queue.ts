import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Author } from '../../../platform/actor.ts';
import { Conflict } from '../../../platform/errors.ts';
import type { StoredPart } from '../../../platform/postgres/audience-tables.ts';
import { json } from '../../../platform/postgres/client.ts';
import { insertOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Tx } from '../../../platform/postgres/transaction.ts';
import { type ImportRow, countWaitingImports } from './store.ts';

/** Imports of one audience that may wait. */
const WAITING_MAX = 20;

/**
 * Queues an import in the transaction of its cause, which has locked the audience. Throws Conflict where too many of the audience wait.
 */
export async function queueImport(
  ctx: Context,
  tx: Tx,
  audience: { uuid: string; company_uuid: string },
  given: {
    mode: ImportRow['mode'];
    source: ImportRow['source'];
    uploadUuid?: string;
    parts?: readonly StoredPart[];
    sourceUrl?: string;
    /** Who asked for it; absent for what the server does by itself. */
    author?: Author;
  },
): Promise<ImportRow> {
  const { uuid, company_uuid: companyId } = audience;
  if ((await countWaitingImports(tx.db, companyId, uuid)) >= WAITING_MAX)
    throw new Conflict(audienceApiMessages.waiting(WAITING_MAX));
  const { author } = given;
  const requestedBy = author && {
    userId: author.userId,
    ...(author.apiKey !== undefined && { apiKey: author.apiKey }),
  };
  const row = await insertOwned(tx.db, 'audience_imports', companyId, {
    uuid: uuidv7(),
    audience_uuid: uuid,
    upload_uuid: given.uploadUuid ?? null,
    mode: given.mode,
    source: given.source,
    parts: json(given.parts ?? []),
    source_url: given.sourceUrl ?? null,
    state: 'waiting',
    claimed_until: null,
    error: null,
    requested_by: requestedBy ? json(requestedBy) : null,
    created_at: ctx.now(),
    finished_at: null,
  });
  notifyOfAudience(ctx, tx, { companyId, uuid });
  return row as ImportRow;
}

/** Notifies the bidders and the company's open pages, on commit, of an audience that imports changed. */
export function notifyOfAudience(
  ctx: Context,
  tx: Tx,
  { companyId, uuid, isOther = false }: { companyId: string; uuid: string; isOther?: boolean },
): void {
  if (isOther) tx.changes(companyId);
  tx.afterCommit(() => {
    if (isOther) ctx.onEntityChanged({ companyId, entity: 'audience', uuid, action: 'update' });
    ctx.realtime.toCompany(companyId, { type: 'entity', entity: 'audience', uuid, action: 'update' });
  });
}
