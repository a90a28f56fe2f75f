/**
 * Live updates to 5,000 connections of 500 companies on one process: memory a connection, and the time of a publication
 * to all of them. Beside it, in turns, a bare websocket server that sends the same bytes to as many clients.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { WebSocketServer } from 'ws';
import { readAccessToken, signAccessToken } from '../packages/server/src/modules/accounts/tokens.ts';
import { createRealtime } from '../packages/server/src/platform/realtime/server.ts';
import type { Broadcast, RealtimeOrder } from './load/realtime.ts';

const CONNECTIONS = 5000;
const COMPANIES = 500;
const ROUNDS = 15;
const SECRET = 'the secret of the bench of live updates only';

let load: ReturnType<typeof fork>;
let sent = 0;

const companies = Array.from({ length: COMPANIES }, () => uuidv7());
const tokens = await Promise.all(
  companies.map((companyId) =>
    signAccessToken(SECRET, { companyId, userId: uuidv7(), sessionId: uuidv7() }, new Date()),
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

const message = (text: string) => ({
  type: 'entity',
  entity: 'app',
  uuid: text,
  action: 'update',
  padding: 'x'.repeat(60),
});

const oursMemory = await withClients(ours, async () => {
  const broadcasts: Broadcast[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    broadcasts.push(
      await broadcast((text) => {
        for (const companyId of companies) realtime.toCompany(companyId, message(text) as never);
      }),
    );
  return { broadcasts };
});
const bareMemory = await withClients(bare, async () => {
  const broadcasts: Broadcast[] = [];
  for (let round = 0; round < ROUNDS; round += 1)
    broadcasts.push(
      await broadcast((text) => {
        const frame = JSON.stringify({
          push: { channel: `company:${companies[0]}`, pub: { data: message(text), offset: round + 1 } },
        });
        for (const socket of sockets.clients) socket.send(frame);
      }),
    );
  return { broadcasts };
});

realtime.close();
sockets.close();
ours.close();
bare.close();

const middle = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const p99Ms = middle(oursMemory.broadcasts.map((result) => result.p99Ms));
const bareP99Ms = middle(bareMemory.broadcasts.map((result) => result.p99Ms));
const ratio = Number(
  (
    middle(oursMemory.broadcasts.map((result) => result.lastMs)) /
    middle(bareMemory.broadcasts.map((result) => result.lastMs))
  ).toFixed(2),
);
console.log(`${CONNECTIONS} connections of ${COMPANIES} companies, ${ROUNDS} publications to all`);
console.log(`ours:    p99 ${p99Ms.toFixed(1)} ms, ${oursMemory.kibPerConnection} KiB a connection`);
console.log(`bare ws: p99 ${bareP99Ms.toFixed(1)} ms, ${bareMemory.kibPerConnection} KiB a connection`);
console.log(
  JSON.stringify({
    bench: 'realtime',
    ratio,
    p99Ms: Number(p99Ms.toFixed(1)),
    kibPerConnection: oursMemory.kibPerConnection,
    bareP99Ms: Number(bareP99Ms.toFixed(1)),
    bareKibPerConnection: bareMemory.kibPerConnection,
  }),
);
process.exit(0);

/** Connects all clients from another process, runs `measure`, and lets them go. */
async function withClients<T>(
  server: Server,
  measure: () => Promise<T>,
): Promise<T & { kibPerConnection: number }> {
  load = fork(fileURLToPath(new URL('./load/realtime.ts', import.meta.url)));
  await once(load, 'message');
  const before = process.memoryUsage().rss;
  const order: RealtimeOrder = {
    kind: 'connect',
    port: (server.address() as AddressInfo).port,
    tokens,
    connections: CONNECTIONS,
  };
  load.send(order);
  await once(load, 'message');
  const kibPerConnection = Math.round((process.memoryUsage().rss - before) / 1024 / CONNECTIONS);
  const measured = await measure();
  load.kill();
  await once(load, 'exit');
  return { ...measured, kibPerConnection };
}

async function broadcast(send: (text: string) => void): Promise<Broadcast> {
  sent += 1;
  const done = once(load, 'message') as Promise<[Broadcast]>;
  send(`${sent} ${process.hrtime.bigint()}`);
  return (await done)[0];
}

async function listen(server: Server): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
}
