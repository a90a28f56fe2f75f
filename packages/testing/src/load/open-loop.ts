import { Connection, withoutSleep } from './connection.ts';

/** A stream of bid requests. */
export interface OpenLoop {
  port: number;
  path: string;
  /** The bodies, in turn. */
  bodies: readonly Buffer[];
  perSecond: number;
  durationMs: number;
  connections: number;
  /** Time limit of a bid, ms. */
  tmaxMs: number;
  /** How long a request waits for a free connection; without it, the exchange skips the bidder where none is free. */
  waitMs?: number;
}

/** The measurements of the exchange. Latencies are from the arrival of a request at the exchange to its response. */
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

const SLOT_MS = 100;
/** How long the last responses may take. */
const LAST_WITHIN_MS = 5000;

/**
 * Sends bid requests that arrive by a Poisson process, whether or not the bidder keeps up, and keeps this process awake
 * meanwhile: it belongs into a process of its own. Has a bounded number of connections, and skips the bidder where none is free.
 */
export function sendOpenLoop(load: OpenLoop): Promise<OpenLoopResult> {
  return withoutSleep(send(load));
}

async function send({
  port,
  path,
  bodies,
  perSecond,
  durationMs,
  connections,
  tmaxMs,
  waitMs = 0,
}: OpenLoop): Promise<OpenLoopResult> {
  const requests = bodies.map((body) => requestOf(port, path, body));
  const all: Connection[] = [];
  for (let count = 0; count < connections; count += 1) all.push(await Connection.to(port));
  const idle = [...all];
  const result = { arrived: 0, sent: 0, bidsInTime: 0, bidsLate: 0, noBids: 0, others: 0 };
  const latenciesMs: number[] = [];
  const inTimeBy100Ms = Array.from({ length: Math.ceil(durationMs / SLOT_MS) }, () => 0);
  const startedMs = performance.now();
  const endMs = startedMs + durationMs;
  let dueMs = startedMs + gapMs(perSecond);
  let next = 0;

  function sendOne(connection: Connection, arrivedMs: number): void {
    result.sent += 1;
    connection.send(requests[next++ % requests.length]!, (status) => {
      const latencyMs = performance.now() - arrivedMs;
      latenciesMs.push(latencyMs);
      if (status === 204) result.noBids += 1;
      else if (status !== 200) result.others += 1;
      else if (latencyMs > tmaxMs) result.bidsLate += 1;
      else {
        result.bidsInTime += 1;
        inTimeBy100Ms[Math.floor((arrivedMs - startedMs) / SLOT_MS)]! += 1;
      }
      idle.push(connection);
    });
  }

  while (dueMs < endMs || idle.length < connections) {
    const nowMs = performance.now();
    if (nowMs > endMs + LAST_WITHIN_MS) break;
    while (dueMs < endMs && dueMs <= nowMs) {
      if (idle.length > 0) sendOne(idle.pop()!, dueMs);
      else if (nowMs - dueMs < waitMs) break;
      result.arrived += 1;
      dueMs += gapMs(perSecond);
    }
    await new Promise(setImmediate);
  }
  const elapsedMs = performance.now() - startedMs;
  for (const connection of all) connection.close();
  latenciesMs.sort((a, b) => a - b);
  const percentile = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? 0;
  const [p50Ms, p95Ms, p99Ms] = [percentile(0.5), percentile(0.95), percentile(0.99)];
  return { ...result, elapsedMs, p50Ms, p95Ms, p99Ms, inTimeBy100Ms };
}

function requestOf(port: number, path: string, body: Buffer): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
    `x-openrtb-version: 2.5\r\ncontent-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Time to the next arrival: exponentially distributed. */
function gapMs(perSecond: number): number {
  return (-Math.log(1 - Math.random()) * 1000) / perSecond;
}
