import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '@bidwell/server/platform/clickhouse/client';
import type { Cluster } from '@bidwell/testing/cluster/cluster';
import type { BidRef } from '@bidwell/server/delivery/model/event';
import { type Notice, NoticeLoad, noticesOf } from './notices.ts';

const POLL_MS = 50;
const RECOVERY_WITHIN_MS = 90_000;
/** Bids of a probe: enough for an event in almost all of the 32 partitions. */
const PROBE_BIDS = 96;
const CALL_WITHIN_MS = 3000;

/** Notices; `stored` returns whether the cluster has counted all of them. */
export interface Probe {
  load: NoticeLoad;
  notices: readonly Notice[];
}

/** Makes one notice in nearly every partition, for bids of `over`. */
export function probe(over: Partial<BidRef>): Probe {
  const load = new NoticeLoad();
  const notices = noticesOf(PROBE_BIDS, [0], over).filter(({ kind }) => kind === 'impression');
  load.add(notices);
  return { load, notices };
}

/**
 * Resolves to the time in ms from `sinceMs` until the cluster does everything again: it has counted new events of all
 * partitions, the processes that run are ready, one of them runs the jobs, and its public address answers. Throws after 90
 * seconds.
 */
export async function recovered(
  cluster: Cluster,
  clickhouse: ClickHouse,
  { load, notices }: Probe,
  sinceMs: number,
): Promise<number> {
  const port = Number(new URL(cluster.url).port);
  let missing = '';
  while (performance.now() - sinceMs < RECOVERY_WITHIN_MS) {
    if (load.waiting > 0) await load.send(port);
    missing = (await missingOf(cluster)) ?? (await uncounted(clickhouse, notices)) ?? '';
    if (missing === '' && load.waiting === 0) return performance.now() - sinceMs;
    await wait(POLL_MS);
  }
  throw new Error(`The cluster did not recover in ${RECOVERY_WITHIN_MS / 1000} s: ${missing}`);
}

async function missingOf(cluster: Cluster): Promise<string | null> {
  const running = Object.values(cluster.servers)
    .flat()
    .filter((server) => server.process.isRunning);
  const states = await Promise.all(
    running.map(async ({ url, process }) => ((await bodyOf(`${url}/readyz`)) === null ? process.name : [])),
  );
  const unready = states.flat();
  if (unready.length > 0) return `${unready.join(', ')} not ready`;
  const leaders = await Promise.all(
    running.filter(({ role }) => role === 'jobs').map(async ({ url }) => leads(url, cluster.operatorToken)),
  );
  if (leaders.filter(Boolean).length !== 1) return `${leaders.filter(Boolean).length} processes run the jobs`;
  return (await bodyOf(`${cluster.url}/login`)) === null ? 'the public address does not answer' : null;
}

async function leads(url: string, token: string): Promise<boolean> {
  const text = await bodyOf(`${url}/metrics`, { authorization: `Bearer ${token}` });
  return text !== null && /^bidwell_jobs_leader 1$/m.test(text);
}

/** The body of a response of 200; null for any other. */
async function bodyOf(url: string, headers: Record<string, string> = {}): Promise<string | null> {
  try {
    const response = await fetch(url, { headers, signal: AbortSignal.timeout(CALL_WITHIN_MS) });
    const text = await response.text();
    return response.status === 200 ? text : null;
  } catch {
    return null;
  }
}

/** Waits until as many in-app events are counted as the load sent, or for so long that the others are lost. */
export async function appEventsCounted(clickhouse: ClickHouse, { appEvents }: NoticeLoad): Promise<void> {
  const endMs = performance.now() + RECOVERY_WITHIN_MS;
  while (performance.now() < endMs) {
    const [row] = await clickhouse.query<{ events: number }>(
      "select count() as events from events where kind = 'app_event'",
    );
    if (row!.events >= appEvents.size) return;
    await wait(POLL_MS);
  }
}

async function uncounted(clickhouse: ClickHouse, notices: readonly Notice[]): Promise<string | null> {
  try {
    const [row] = await clickhouse.query<{ bids: number }>(
      'select uniqExact(bid_id) as bids from events where bid_id in {bids:Array(UUID)}',
      { bids: notices.map(({ bidId }) => bidId) },
    );
    const left = notices.length - row!.bids;
    return left === 0 ? null : `${left} of ${notices.length} new events are not counted`;
  } catch (error) {
    return `ClickHouse: ${(error as Error).message}`;
  }
}
