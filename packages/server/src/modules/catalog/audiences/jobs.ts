import { limits } from '@bidwell/contract/lib/limits';
import { truncate } from '@bidwell/contract/lib/truncate';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { PeopleSketch } from '../../../delivery/public.ts';
import { discardFile } from '../../../platform/files/unused-files.ts';
import { lockOwned, updateOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notifyOfAudience, queueImport } from './import-queue.ts';
import { CLAIM_MS, runImport } from './imports.ts';
import { campaignsWithInstalls } from './live-people.ts';
import { MATCH_PERIOD_MS } from './presenter.ts';
import {
  type ImportLane,
  type ImportRow,
  appsWithoutInstalled,
  claimImport,
  countWaitingImports,
  deleteOldImports,
  deleteUpload,
  dueAudiences,
  endMatches,
  expiredUploads,
  insertInstalled,
  lockEndedMatches,
} from './store.ts';

const DAY_MS = 86_400_000;
/** How often an audience with an address is fetched, and a live one computed. */
const REFRESH_MS = { url: DAY_MS, live: 120_000 } as const;
const AUDIENCES_AT_ONCE = 100;
const UPLOADS_AT_ONCE = 100;
const IMPORTS_KEPT = 50;
const IMPORTS_KEPT_MS = 30 * DAY_MS;

/** Files that are fetched at once, of several companies. One that comes too slowly takes a place for two minutes at most. */
const FETCHES_AT_ONCE = 16;
/** How often imports are looked for while others run. */
const LOOK_EVERY_MS = 1000;

/**
 * Runs the imports of a lane that wait, of all companies: fetched ones several at once, so that they do not wait for the server of another
 * company; others one after another, because each takes a processor.
 */
export async function runImports(
  ctx: Context,
  { lane }: { lane: ImportLane },
  stopping: AbortSignal,
): Promise<void> {
  const atOnce = lane === 'fetched' ? FETCHES_AT_ONCE : 1;
  const running = new Set<Promise<void>>();
  const begin = (row: ImportRow): void => {
    const one = runImport(ctx, row, { lane, stopping })
      // It is begun again when its claim ends.
      .catch((err: unknown) => ctx.log.error({ err, import: row.uuid }, 'an import of an audience failed'))
      .finally(() => running.delete(one));
    running.add(one);
  };
  const claim = async (): Promise<ImportRow | undefined> => {
    const now = ctx.now();
    const until = new Date(now.getTime() + CLAIM_MS);
    return claimImport(ctx.db, { now, until, lane });
  };
  try {
    while (!stopping.aborted) {
      const row = running.size < atOnce ? await claim() : undefined;
      if (row) begin(row);
      else if (running.size === 0) return;
      else await Promise.race([...running, delay(LOOK_EVERY_MS)]);
    }
  } finally {
    await Promise.all(running);
  }
}

/** Queues the imports of audiences whose address or rule is due. For all companies. */
export async function queueRefreshes(ctx: Context): Promise<void> {
  const now = ctx.now();
  const due = await dueAudiences(ctx.db, now, AUDIENCES_AT_ONCE);
  for (const { uuid, company_uuid: companyId } of due)
    await transact(ctx.db, async (tx) => {
      const row = await lockOwned(tx.db, 'audiences', companyId, uuid);
      if (!row || (row.kind !== 'url' && row.kind !== 'live')) return;
      await updateOwned(tx.db, 'audiences', companyId, uuid, {
        refresh_after: new Date(now.getTime() + REFRESH_MS[row.kind]),
      });
      if ((await countWaitingImports(tx.db, companyId, uuid)) > 0) return;
      const mode = row.is_installed ? 'add' : 'replace';
      await queueImport(ctx, tx, row, { mode, source: row.kind === 'url' ? 'url' : 'rule' });
    });
}

/** How far back installs are looked for. */
const INSTALLS_MS = DAY_MS;

/** Makes the audience of the people who have it for each app that sends installs. For all companies. */
export async function makeInstalledAudiences(ctx: Context): Promise<void> {
  const now = ctx.now();
  const campaignIds = await campaignsWithInstalls(ctx.clickhouse, new Date(now.getTime() - INSTALLS_MS));
  for (const app of await appsWithoutInstalled(ctx.db, campaignIds)) {
    const companyId = app.company_uuid;
    const uuid = uuidv7();
    const name = truncate(`People with ${app.name}`, limits.titleMax);
    await transact(ctx.db, async (tx) => {
      const isNew = await insertInstalled(tx.db, { uuid, companyId, appUuid: app.uuid, name, at: now });
      if (isNew) notifyOfAudience(ctx, tx, { companyId, uuid, isOther: true });
    });
  }
}

/** Deletes uploads that no one finished in time, with their parts, and the rows of finished ones. For all companies. */
export async function giveUpUploads(ctx: Context): Promise<void> {
  for (const { uuid, parts, is_open: isOpen } of await expiredUploads(ctx.db, ctx.now(), UPLOADS_AT_ONCE)) {
    await deleteUpload(ctx.db, uuid);
    // The parts of a finished one are of its import.
    if (isOpen) for (const part of parts) await discardFile(ctx, part.uuid);
  }
}

const MATCHES_AT_ONCE = 500;

/** Ends the periods of look-ups that are whole, so that the match rates of their audiences are shown. For all companies. */
export async function endMatchPeriods(ctx: Context): Promise<void> {
  const before = new Date(ctx.now().getTime() - MATCH_PERIOD_MS);
  await transact(ctx.db, async (tx) => {
    for (const { audience_uuid: uuid, company_uuid: companyId, people } of await lockEndedMatches(
      tx.db,
      before,
      MATCHES_AT_ONCE,
    )) {
      await endMatches(tx.db, companyId, uuid, PeopleSketch.parse(people).count());
      notifyOfAudience(ctx, tx, { companyId, uuid });
    }
  });
}

/** Deletes the reports of old imports. For all companies. */
export async function deleteEndedImports(ctx: Context): Promise<void> {
  await deleteOldImports(ctx.db, new Date(ctx.now().getTime() - IMPORTS_KEPT_MS), IMPORTS_KEPT);
}
