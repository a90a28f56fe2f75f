import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '@bidwell/server/context';
import { type LoadedAudiences, loadAudiences } from '@bidwell/server/delivery/audiences/loaded-audiences';
import type { AdsetRow } from '@bidwell/server/delivery/model/candidate';
import {
  makeInstalledAudiences,
  queueRefreshes,
  runImports,
} from '@bidwell/server/modules/catalog/audiences/jobs';

/** Builds the live audiences from the postbacks that are stored, as the server's jobs would: the demo begins with them. */
export async function buildLiveAudiences(ctx: Context): Promise<void> {
  await makeInstalledAudiences(ctx);
  await queueRefreshes(ctx);
  // The jobs of the server may run some of them.
  const untilMs = Date.now() + IMPORTS_MS_MAX;
  while ((await hasPendingImport(ctx)) && Date.now() < untilMs) {
    await runImports(ctx, { lane: 'short' }, new AbortController().signal);
    await delay(100);
  }
}

const IMPORTS_MS_MAX = 60_000;

async function hasPendingImport({ db }: Context): Promise<boolean> {
  const row = await db
    .selectFrom('audience_imports')
    .select('uuid')
    .where('state', 'in', ['waiting', 'running'])
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Loads the audiences that ad sets use, as bidders do. */
export async function loadLiveAudiences(
  { files, log, config }: Context,
  adsets: readonly AdsetRow[],
): Promise<LoadedAudiences> {
  const audiences = loadAudiences({ files, log, bytesMax: config.audienceBytesMax });
  audiences.use(adsets.flatMap((adset) => adset.audiences?.stored ?? []));
  await audiences.settled();
  return audiences;
}
