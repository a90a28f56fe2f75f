import { FENCE_KIND } from '@bidwell/server/delivery/event-store/event-store';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';
import { type Database, openPostgres } from '@bidwell/server/platform/postgres/client';
import type { Notice, NoticeLoad } from './notices.ts';
import type { ChaosResult } from './scenario.ts';
import type { ServerProcess } from './server-process.ts';

/** The databases that hold the events and the booked spend. */
export interface Stores {
  clickhouse: ClickHouse;
  db: Database;
}

/** Opens the databases of a stopped server, embedded or by URL, for the time of `work`. */
export async function withStores<Result>(
  where: { dataDir: string; clickhouseUrl?: string; databaseUrl?: string },
  work: (stores: Stores) => Promise<Result>,
): Promise<Result> {
  const { dataDir, clickhouseUrl, databaseUrl } = where;
  const clickhouse = await openClickHouse({ dataDir, url: clickhouseUrl });
  try {
    const db = await openPostgres({ dataDir, url: databaseUrl });
    try {
      return await work({ clickhouse, db });
    } finally {
      await db.destroy();
    }
  } finally {
    await clickhouse.close();
  }
}

/** Compares acknowledged notices with stored events and booked spend, except for those of the ad sets `others`. */
export async function audit(
  { clickhouse, db }: Stores,
  acknowledged: ReadonlyMap<string, Notice>,
  others: readonly string[] = [],
): Promise<Pick<ChaosResult, 'acknowledged' | 'lost' | 'doubled'>> {
  const stored = await clickhouse.query<{ bid_id: string; kind: string; times: number; spend: number }>(
    'select bid_id, kind, count() as times, sum(spend_micros) as spend from events where kind != {fence:String} and not has({others:Array(String)}, toString(adset_id)) group by bid_id, kind',
    { others, fence: FENCE_KIND },
  );
  const spendOf = new Map(stored.map(({ bid_id, kind, spend }) => [`${bid_id} ${kind}`, spend]));
  let lost = 0;
  let lostMicros = 0;
  for (const [key, { spendMicros }] of acknowledged) {
    if (spendOf.get(key) === spendMicros) continue;
    lost += 1;
    lostMicros += spendMicros - (spendOf.get(key) ?? 0);
  }
  let doubled = 0;
  let storedMicros = 0;
  for (const { bid_id, kind, times, spend } of stored) {
    storedMicros += spend;
    if (times > 1 || !acknowledged.has(`${bid_id} ${kind}`)) doubled += 1;
  }
  const booked = await db.selectFrom('adset_spend').select(['adset_uuid', 'ever_micros']).execute();
  const bookedMicros = booked
    .filter((row) => !others.includes(row.adset_uuid))
    .reduce((sum, row) => sum + row.ever_micros, 0);
  // Spend is booked before events are stored, so events destroyed in between are booked nevertheless.
  if (bookedMicros > storedMicros + lostMicros) doubled += 1;
  if (bookedMicros < storedMicros) lost += 1;
  return { acknowledged: acknowledged.size, lost, doubled };
}

/** Ends a server, and audits its folder as {@link audit} does. Another exit code than 0 is added to `failures`. */
export async function endAndAudit(
  server: ServerProcess,
  dataDir: string,
  { acknowledged }: NoticeLoad,
  failures: string[],
) {
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  return { ...(await withStores({ dataDir }, (stores) => audit(stores, acknowledged))), failures };
}
