/**
 * Live updates to 5,000 connections of 500 companies in one process: memory per connection, and the time of a publication
 * to all readers of a company and to all connections. Baseline: a bare websocket server that sends the same bytes to the
 * same number of clients. Both keep their clients connected and take turns, so that load on the machine affects both.
 * `ratio` is the median over the rounds of the ratio of the times until the last client received the message.
 */
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import { readAccessToken, signAccessToken } from '@bidwell/server/modules/identity/sessions/access-tokens';
import { createRealtime } from '@bidwell/server/platform/realtime/server';
import { startLoad } from './load/child.ts';
import type { Broadcast, RealtimeOrder } from './load/realtime.ts';

const { values: parsed } = parseArgs({
  options: {
    connections: { type: 'string', default: '5000' },
    companies: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '60' },
  },
});
const CONNECTIONS = Number(parsed.connections);
const COMPANIES = Number(parsed.companies);
const ROUNDS = Number(parsed.rounds);
/** Warm-up rounds, which compile both sides and grow their buffers. */
const WARM_UP = Math.ceil(ROUNDS / 6);
const READERS_OF_COMPANY = CONNECTIONS / COMPANIES;
const SECRET = 'the secret of the bench of live updates only';

const companies = Array.from({ length: COMPANIES }, () => uuidv7());
const tokens = await Promise.all(
  companies.map((companyId) =>
    signAccessToken(SECRET, { companyId, userId: uuidv7(), sessionId: uuidv7(), role: 'person' }, new Date()),
  ),
);

const realtime = createRealtime((token) => readAccessToken(SECRET, token, new Date()));
const ours = createServer();
realtime.attach(ours);
await listen(ours);

const bare = createServer();
const sockets = new WebSocketServer({ server: bare });
sockets.on('connection', (socket) => socket.on('message', () => socket.send('{"id":1,"connect":{}}')));
await listen(bare);

const load = await startLoad<RealtimeOrder, void>('./realtime.ts');
const kibPerConnection = await connectAll(ours);
const bareKibPerConnection = await connectAll(bare);

const message = (uuid: string) => ({
  type: 'entity',
  entity: 'app',
  uuid,
  action: 'update',
  padding: 'x'.repeat(60),
});
const publish = (companyId: string, uuid: string) => realtime.toCompany(companyId, message(uuid) as never);

const results = { toAll: [], bareToAll: [], toCompany: [], bareToCompany: [] } as Record<
  'toAll' | 'bareToAll' | 'toCompany' | 'bareToCompany',
  Broadcast[]
>;
let sent = 0;
for (let round = -WARM_UP; round < ROUNDS; round += 1) {
  const frame = (uuid: string) =>
    JSON.stringify({
      push: { channel: `company:${companies[0]}`, pub: { data: message(uuid), offset: round + 100 } },
    });
  const turns = {
    toAll: () =>
      broadcast(CONNECTIONS, (uuid) => {
        for (const companyId of companies) publish(companyId, uuid);
      }),
    bareToAll: () =>
      broadcast(CONNECTIONS, (uuid) => {
        const text = frame(uuid);
        for (const socket of sockets.clients) socket.send(text);
      }),
    toCompany: () => broadcast(READERS_OF_COMPANY, (uuid) => publish(companies[0]!, uuid)),
    bareToCompany: () =>
      broadcast(READERS_OF_COMPANY, (uuid) => {
        const text = frame(uuid);
        let count = 0;
        for (const socket of sockets.clients) {
          if ((count += 1) > READERS_OF_COMPANY) break;
          socket.send(text);
        }
      }),
  };
  const names = Object.keys(turns) as (keyof typeof turns)[];
  // The order alternates: garbage of the first measurement slows down the second.
  for (const name of round % 2 === 0 ? names : names.toReversed()) {
    const result = await turns[name]();
    if (round >= 0) results[name].push(result);
  }
}
load.child.kill();

const middle = (of: number[]): number => of.toSorted((a, b) => a - b)[Math.floor(of.length / 2)]!;
const median = (of: Broadcast[], which: keyof Broadcast): number => middle(of.map((result) => result[which]));
const line = (name: string, toAll: Broadcast[], toCompany: Broadcast[], kib: number) =>
  console.log(
    `${name} to all: p50 ${median(toAll, 'p50Ms').toFixed(1)} ms, p99 ${median(toAll, 'p99Ms').toFixed(1)} ms, ` +
      `last ${median(toAll, 'lastMs').toFixed(1)} ms; to a company: last ${median(toCompany, 'lastMs').toFixed(2)} ms; ` +
      `${kib} KiB a connection`,
  );
console.log(`${CONNECTIONS} connections of ${COMPANIES} companies, medians of ${ROUNDS} publications each`);
line('ours:   ', results.toAll, results.toCompany, kibPerConnection);
line('bare ws:', results.bareToAll, results.bareToCompany, bareKibPerConnection);
const rounded = (value: number) => Number(value.toFixed(2));
console.log(
  JSON.stringify({
    bench: 'realtime',
    ratio: rounded(
      middle(results.toAll.map(({ lastMs }, round) => lastMs / results.bareToAll[round]!.lastMs)),
    ),
    p99Ms: rounded(median(results.toAll, 'p99Ms')),
    kibPerConnection,
    companyP99Ms: rounded(median(results.toCompany, 'p99Ms')),
    bareP99Ms: rounded(median(results.bareToAll, 'p99Ms')),
    bareKibPerConnection,
  }),
);
process.exit(0);

/** Connects clients from the other process; returns the memory per connection in this process, in KiB. */
async function connectAll(server: Server): Promise<number> {
  const before = process.memoryUsage().rss;
  const { port } = server.address() as AddressInfo;
  await load.run({ port, tokens, connections: CONNECTIONS });
  return Math.round((process.memoryUsage().rss - before) / 1024 / CONNECTIONS);
}

async function broadcast(readers: number, send: (uuid: string) => void): Promise<Broadcast> {
  sent += 1;
  const done = once(load.child, 'message') as Promise<[Broadcast]>;
  send(`${sent} ${process.hrtime.bigint()} ${readers}`);
  return (await done)[0];
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
