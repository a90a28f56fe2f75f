import { join } from 'node:path';
import { FENCE_KIND } from '@bidwell/server/delivery/event-store/event-store';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import { openClickHouse } from '@bidwell/server/platform/clickhouse/open';
import { type Database, openPostgres } from '@bidwell/server/platform/postgres/client';
import { type NoticeLoad, eventKey } from './notices.ts';
import { becomesEmpty } from './log-folder.ts';
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

/** What a load had acknowledged. */
type Acknowledged = Pick<NoticeLoad, 'acknowledged' | 'appEvents'>;

/**
 * Compares acknowledged notices with stored events and booked spend, and acknowledged in-app events with the stored ones and
 * their revenue, without the ad sets `others`.
 */
export async function audit(
  { clickhouse, db }: Stores,
  { acknowledged, appEvents }: Acknowledged,
  others: readonly string[] = [],
): Promise<Pick<ChaosResult, 'acknowledged' | 'lost' | 'doubled'>> {
  const stored = await clickhouse.query<{ bid_id: string; kind: string; times: number; spend: number }>(
    'select bid_id, kind, count() as times, sum(spend_micros) as spend from events where kind not in {skipped:Array(String)} and not has({others:Array(String)}, toString(adset_id)) group by bid_id, kind',
    { others, skipped: [FENCE_KIND, 'app_event'] },
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
  const inApp = await auditAppEvents(clickhouse, appEvents, others);
  return {
    acknowledged: acknowledged.size + appEvents.size,
    lost: lost + inApp.lost,
    doubled: doubled + inApp.doubled,
  };
}

/** Each event must be stored once, with the revenue of one of its postbacks. */
async function auditAppEvents(
  clickhouse: ClickHouse,
  sent: Acknowledged['appEvents'],
  others: readonly string[],
): Promise<Pick<ChaosResult, 'lost' | 'doubled'>> {
  const stored = await clickhouse.query<{ bidId: string; name: string; atMs: number; revenues: number[] }>(
    `select click_bid_id as bidId, toString(event_name) as name, toUnixTimestamp64Milli(event_at) as atMs,
       groupArray(if(revenue_known = 1, revenue_micros, 0)) as revenues
     from events where kind = 'app_event' and not has({others:Array(String)}, toString(adset_id))
     group by click_bid_id, event_name, event_at`,
    { others },
  );
  const revenuesOf = new Map(stored.map((row) => [eventKey(row), row.revenues]));
  let lost = 0;
  for (const [key, { event }] of sent) {
    const [revenue] = revenuesOf.get(key) ?? [];
    if (revenue === undefined || !event!.amounts.includes(revenue)) lost += 1;
  }
  const doubled = stored.filter((row) => row.revenues.length > 1 || !sent.has(eventKey(row))).length;
  return { lost, doubled };
}

/** Ends a server, and audits its folder as {@link audit} does. Another exit code than 0 is added to `failures`. */
export async function endAndAudit(
  server: ServerProcess,
  dataDir: string,
  load: NoticeLoad,
  failures: string[],
) {
  // An acknowledged postback will be decided; a server that ends leaves this to its next start.
  await becomesEmpty(join(dataDir, 'postback-log'));
  const code = await server.end('SIGTERM');
  if (code !== 0) failures.push(`the server ended with ${code}: ${server.output()}`);
  return { ...(await withStores({ dataDir }, (stores) => audit(stores, load))), failures };
}
