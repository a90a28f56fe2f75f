/**
 * The load of the bidder's bench: a child process that sends bid requests over keep-alive connections.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Connection, withoutSleep } from '@bidwell/testing/load/connection';
import { handleOrders } from './child.ts';
import { inRegions } from './controls.ts';
import { REQUESTS, iosRequests, inventedRequests, mostlyWithoutBids } from './market.ts';

/** A measurement to run. */
export interface LoadOrder {
  port: number;
  path: string;
  /** When to stop: after this time, or after so many requests. */
  durationMs?: number;
  requests?: number;
  /** Requests per second; without it, each connection sends its next request as soon as it has a response. */
  perSecond?: number;
  /**
   * Which requests to send: `invented` (the default), requests changed by {@link mostlyWithoutBids}, or {@link iosRequests} with
   * SKAdNetwork or without, or requests with a region.
   */
  stream?: Stream;
}

export type Stream = 'invented' | 'unwanted' | 'ios' | 'skadn' | 'placed';

/** Result of a measurement. */
export interface LoadResult {
  answers: number;
  bids: number;
  /** Responses with a status other than 200 or 204. */
  others: number;
  bytes: number;
  elapsedMs: number;
  /** Latency from the scheduled time of a request to its response. */
  p50Ms: number;
  p99Ms: number;
  /** Share of responses that took longer than 100 ms, the shortest `tmax` of the requests. */
  lateShare: number;
}

const SHORTEST_TMAX_MS = 100;
const [connectionsText = '1', folder = ''] = process.argv.slice(2);
const CONNECTIONS = Number(connectionsText);

const streams: Record<Stream, Buffer[]> = {
  invented: [...inventedRequests(REQUESTS), ...(folder ? storedRequests(folder) : [])],
  unwanted: mostlyWithoutBids(inventedRequests(REQUESTS)),
  ios: iosRequests(inventedRequests(REQUESTS), false),
  skadn: iosRequests(inventedRequests(REQUESTS), true),
  placed: inRegions(inventedRequests(REQUESTS)),
};

/** Reads the requests in a folder: one per file (.json) or one per line (.ndjson). */
function storedRequests(path: string): Buffer[] {
  return readdirSync(path, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    if (name.endsWith('.json')) return [readFileSync(join(path, name))];
    if (!name.endsWith('.ndjson')) return [];
    return readFileSync(join(path, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => Buffer.from(line));
  });
}

function requestsFor({ port, path, stream = 'invented' }: LoadOrder): Buffer[] {
  return streams[stream].map((body) =>
    Buffer.concat([
      Buffer.from(
        `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n` +
          `x-openrtb-version: 2.5\r\ncontent-length: ${body.length}\r\n\r\n`,
      ),
      body,
    ]),
  );
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const requests = requestsFor(order);
  const idle: Connection[] = [];
  for (let count = 0; count < CONNECTIONS; count += 1) {
    idle.push(await Connection.to(order.port));
  }
  const all = [...idle];
  const result = { answers: 0, bids: 0, others: 0, bytes: 0 };
  const latenciesMs: number[] = [];
  let next = 0;
  const startedMs = performance.now();
  const endMs = startedMs + (order.durationMs ?? Infinity);
  const isOver = (): boolean => next >= (order.requests ?? Infinity) || performance.now() >= endMs;
  const send = (connection: Connection, dueMs: number): void => {
    const request = requests[next % requests.length]!;
    next += 1;
    connection.send(request, (status, bytes) => {
      const nowMs = performance.now();
      latenciesMs.push(nowMs - dueMs);
      result.answers += 1;
      result.bytes += bytes;
      if (status === 200) result.bids += 1;
      else if (status !== 204) result.others += 1;
      if (order.perSecond === undefined && !isOver()) send(connection, nowMs);
      else idle.push(connection);
    });
  };
  if (order.perSecond === undefined) {
    for (const connection of idle.splice(0)) send(connection, performance.now());
    while (!isOver() || idle.length < CONNECTIONS) await pause(5);
  } else {
    const gapMs = 1000 / order.perSecond;
    // Open-loop load: requests are due whether or not the server keeps up; waiting for a connection counts as latency.
    for (let due = startedMs; due < endMs || idle.length < CONNECTIONS;) {
      while (due < endMs && due <= performance.now() && idle.length > 0) {
        send(idle.pop()!, due);
        due += gapMs;
      }
      await pause(0);
    }
  }
  const elapsedMs = performance.now() - startedMs;
  for (const connection of all) connection.close();
  latenciesMs.sort((a, b) => a - b);
  const percentile = (share: number) =>
    latenciesMs[Math.min(latenciesMs.length - 1, Math.floor(latenciesMs.length * share))] ?? 0;
  const late = latenciesMs.filter((ms) => ms > SHORTEST_TMAX_MS).length;
  return {
    ...result,
    elapsedMs,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    lateShare: late / Math.max(1, latenciesMs.length),
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resume) => (ms === 0 ? setImmediate(resume) : setTimeout(resume, ms)));
}

handleOrders((order: LoadOrder) => withoutSleep(run(order)));
