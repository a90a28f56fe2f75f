/**
 * An exchange as a child process: bid requests arrive by a Poisson process, whether or not the bidder keeps up. It has a bounded
 * number of connections, and skips the bidder where none is free.
 */
import { obey } from './child.ts';
import { Connection, withoutSleep } from './connection.ts';
import { inventedRequests, mostlyUnwanted } from './market.ts';

/** A stream of bid requests. */
export interface OpenLoopOrder {
  port: number;
  path: string;
  perSecond: number;
  durationMs: number;
  /** How long a request waits for a free connection; without it, the exchange skips the bidder where none is free. */
  waitMs?: number;
  /** `unwanted` gets no bids; see {@link mostlyUnwanted}. */
  stream?: 'invented' | 'unwanted';
}

/** What the exchange saw. Latencies are from the arrival of a request at the exchange to its response. */
export interface OpenLoopResult {
  arrived: number;
  sent: number;
  /** Bids within the time limit, and after it. */
  bidsInTime: number;
  bidsLate: number;
  /** Responses without a bid, and with another status than 200 or 204. */
  noBids: number;
  others: number;
  elapsedMs: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  /** Bids in time of each 100 ms of arrivals. */
  inTimeBy100Ms: number[];
}

const TMAX_MS = 120;
const SLOT_MS = 100;
const [connectionsText = '256'] = process.argv.slice(2);
const CONNECTIONS = Number(connectionsText);
const bodies = inventedRequests(4000).map((body) =>
  Buffer.from(JSON.stringify({ ...(JSON.parse(body.toString('utf8')) as object), tmax: TMAX_MS })),
);
const streams = { invented: bodies, unwanted: mostlyUnwanted(bodies) };

async function run({
  port,
  path,
  perSecond,
  durationMs,
  stream,
  waitMs = 0,
}: OpenLoopOrder): Promise<OpenLoopResult> {
  const requests = streams[stream ?? 'invented'].map((body) =>
    Buffer.concat([
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
          `x-openrtb-version: 2.5\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]),
  );
  const all: Connection[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) all.push(await Connection.to(port));
  const idle = [...all];
  const result = { arrived: 0, sent: 0, bidsInTime: 0, bidsLate: 0, noBids: 0, others: 0 };
  const latenciesMs: number[] = [];
  const inTimeBy100Ms = Array.from({ length: Math.ceil(durationMs / SLOT_MS) }, () => 0);
  const startedMs = performance.now();
  const endMs = startedMs + durationMs;
  let dueMs = startedMs + gapMs();
  let next = 0;

  /** Time to the next arrival: exponentially distributed. */
  function gapMs(): number {
    return (-Math.log(1 - Math.random()) * 1000) / perSecond;
  }

  function send(connection: Connection, arrivedMs: number): void {
    result.sent += 1;
    connection.send(requests[next++ % requests.length]!, (status) => {
      const latencyMs = performance.now() - arrivedMs;
      latenciesMs.push(latencyMs);
      if (status === 204) result.noBids += 1;
      else if (status !== 200) result.others += 1;
      else if (latencyMs > TMAX_MS) result.bidsLate += 1;
      else {
        result.bidsInTime += 1;
        inTimeBy100Ms[Math.floor((arrivedMs - startedMs) / SLOT_MS)]! += 1;
      }
      idle.push(connection);
    });
  }

  while (dueMs < endMs || idle.length < CONNECTIONS) {
    const nowMs = performance.now();
    if (nowMs > endMs + 5000) break;
    while (dueMs < endMs && dueMs <= nowMs) {
      if (idle.length > 0) send(idle.pop()!, dueMs);
      else if (nowMs - dueMs < waitMs) break;
      result.arrived += 1;
      dueMs += gapMs();
    }
    await new Promise(setImmediate);
  }
  const elapsedMs = performance.now() - startedMs;
  for (const connection of all) connection.close();
  latenciesMs.sort((a, b) => a - b);
  const percentile = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  return {
    ...result,
    elapsedMs,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
    inTimeBy100Ms,
  };
}

obey((order: OpenLoopOrder) => withoutSleep(run(order)));
