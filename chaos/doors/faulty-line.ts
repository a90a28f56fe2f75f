import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, type ServerResponse, createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What a line does with requests: passes them on, passes most of them on, or answers all with 503 or 429. */
export type LineMood = 'whole' | 'faulty' | 'outage';

/** What a line did to a request; the server has got it with `passed`, `slow` and `lost`. */
export type LineOutcome = 'passed' | '503' | '429' | 'lost' | 'slow' | 'cut';

/** The requests of a line to one receiver. */
export interface LineCounts {
  outcomes: Record<LineOutcome, number>;
  /** Writes that the receiver accepted, and the ones of them that repeat an accepted one byte by byte. */
  accepted: number;
  repeated: number;
}

/** HTTP between a server and its receivers, with faults. */
export interface FaultyLine {
  port: number;
  mood: LineMood;
  countsOf(receiver: string): LineCounts;
  close(): Promise<void>;
}

/** Of all requests while the line is faulty. */
const SHARES = [
  ['503', 0.08],
  ['429', 0.08],
  ['lost', 0.1],
  ['slow', 0.05],
  ['cut', 0.06],
] as const;
/** Of the accepted writes of a receiver: its response is lost in any case while the line is faulty. */
const LOST_EVERY = 4;
/** For how many seconds receivers ask to wait. */
const RETRY_AFTER_SECONDS = [20, 120, 600];
const SLOW_MS = 800;

/** Opens a line to a port of this machine. `receiverOf` names whose requests are counted together. */
export async function openFaultyLine(
  target: number,
  receiverOf: (request: IncomingMessage) => string,
  random: () => number,
): Promise<FaultyLine> {
  const counts = new Map<string, LineCounts>();
  const known = new Set<string>();
  const outcomeOf = (counted: LineCounts, isWrite: boolean): LineOutcome => {
    if (line.mood === 'whole') return 'passed';
    if (line.mood === 'outage') return random() < 0.5 ? '503' : '429';
    if (isWrite && (counted.accepted + 1) % LOST_EVERY === 0) return 'lost';
    let left = random();
    for (const [outcome, share] of SHARES) {
      left -= share;
      if (left < 0) return outcome;
    }
    return 'passed';
  };
  const countsOf = (receiver: string): LineCounts => {
    const found = counts.get(receiver) ?? {
      outcomes: { passed: 0, '503': 0, '429': 0, lost: 0, slow: 0, cut: 0 },
      accepted: 0,
      repeated: 0,
    };
    counts.set(receiver, found);
    return found;
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const counted = countsOf(receiverOf(request));
    const outcome = outcomeOf(counted, request.method !== 'GET');
    counted.outcomes[outcome] += 1;
    if (outcome === 'cut') return void response.destroy();
    if (outcome === '503' || outcome === '429') {
      // An overloaded receiver names a time more often than one that is away.
      if (random() < (outcome === '429' ? 0.8 : 0.2))
        response.setHeader(
          'retry-after',
          RETRY_AFTER_SECONDS[Math.floor(random() * RETRY_AFTER_SECONDS.length)]!,
        );
      response.writeHead(Number(outcome), { 'content-type': 'text/plain' }).end('Not now');
      return;
    }
    if (outcome === 'slow') await wait(SLOW_MS);
    const passed = await pass(target, request, body);
    if (request.method !== 'GET' && passed.status >= 200 && passed.status < 300) {
      counted.accepted += 1;
      const name = createHash('sha256').update(`${request.method} ${request.url}\n`).update(body);
      const key = name.digest('hex');
      if (known.has(key)) counted.repeated += 1;
      known.add(key);
    }
    if (outcome === 'lost') return void response.destroy();
    response.writeHead(passed.status, passed.headers).end(passed.body);
  };
  const server = createServer((request, response) => {
    // The server may be killed while it sends.
    handle(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line: FaultyLine = {
    port: (server.address() as AddressInfo).port,
    mood: 'whole',
    countsOf,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return line;
}

/** Sends a request on as it came, and reads the whole response. */
async function pass(
  port: number,
  { method, url, headers }: IncomingMessage,
  body: Buffer,
): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }> {
  const passing = send({ host: '127.0.0.1', port, method, path: url, headers, agent: false });
  passing.end(body);
  const [response] = (await once(passing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const { 'transfer-encoding': _chunked, connection: _connection, ...rest } = response.headers;
  return { status: response.statusCode!, headers: rest, body: Buffer.concat(chunks) };
}

/** The counts as a sentence. */
export function countsText({ outcomes, accepted, repeated }: LineCounts): string {
  const tries = Object.values(outcomes).reduce((sum, times) => sum + times, 0);
  const faults = Object.entries(outcomes).map(([outcome, times]) => `${times} ${outcome}`);
  return `${tries} requests (${faults.join(', ')}); ${accepted} writes accepted, of which ${repeated} repeat one`;
}
