import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import { expect, onTestFinished, test } from 'vitest';
import { openClickHouse } from '../../platform/clickhouse/client.ts';
import { openPostgres } from '../../platform/postgres/client.ts';
import { pathOf, sampleRef } from './sample-ref.ts';
import { createSigner } from './signing.ts';

const secret = 'the same secret in every life of the server';
const serve = fileURLToPath(new URL('../../serve.ts', import.meta.url));
const LIVES = 4;
const SENDERS = 12;

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Starts the real server as a process of its own; resolves when it is ready. */
async function startServer(dataDir: string, port: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['--import', 'tsx', serve], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'test',
      CAPTCHA: 'off',
      MODERATION: 'auto',
      LOG_LEVEL: 'error',
      DATA_DIR: dataDir,
      PORT: String(port),
      SIGNING_SECRET: secret,
      UV_THREADPOOL_SIZE: '16',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr!.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-4000)));
  onTestFinished(() => void child.kill('SIGKILL'));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${complaint}`);
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    await ready?.arrayBuffer();
    if (ready?.status === 200) return child;
    await new Promise((again) => setTimeout(again, 50));
  }
}

interface Sent {
  bidId: string;
  kind: 'impression' | 'win' | 'billing';
  path: string;
  spendMicros: number;
}

/** Three notices for each bid, the bid charged at its billing notice. */
function noticesOf(bids: number): Sent[] {
  const signer = createSigner(secret, 'http://localhost');
  return Array.from({ length: bids }, (_, index) => {
    const ref = sampleRef();
    const urls = signer.urlsFor(ref);
    const cpmMicros = 1_000_000 + index * 1000;
    const at = (kind: 'impression' | 'win' | 'billing', spendMicros: number): Sent => ({
      bidId: ref.bidId,
      kind,
      path: pathOf(urls[kind], String(cpmMicros / 1_000_000)),
      spendMicros,
    });
    return [at('win', 0), at('billing', Math.min(cpmMicros, ref.bidCpmMicros) / 1000), at('impression', 0)];
  }).flat();
}

test(
  'kill -9 again and again under traffic: what was acknowledged is counted once',
  { timeout: 120_000 },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bidwell-kill-'));
    onTestFinished(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    const port = await freePort();
    const acknowledged = new Map<string, Sent>();
    let unsure: Sent[] = [];

    for (let life = 0; life < LIVES; life += 1) {
      const server = await startServer(dataDir, port);
      const dispatcher = new Agent({ connections: SENDERS });
      // What the last life left unanswered comes again, and every seventh notice comes twice.
      const fresh = noticesOf(1500);
      const queue = [
        ...unsure,
        ...fresh.flatMap((notice, index) => (index % 7 === 0 ? [notice, notice] : [notice])),
      ];
      unsure = [];
      const last = life === LIVES - 1;
      const killAfter = last ? Infinity : 300 + Math.floor(Math.random() * 3000);
      let answers = 0;
      let killed = false;
      const sender = async (): Promise<void> => {
        for (let notice = queue.shift(); notice && !killed; notice = queue.shift()) {
          try {
            const { statusCode, body } = await request(`http://127.0.0.1:${port}${notice.path}`, {
              dispatcher,
            });
            if (statusCode === 200) acknowledged.set(`${notice.bidId} ${notice.kind}`, notice);
            await body.dump();
            expect(statusCode).toBe(200);
          } catch (error) {
            if (!killed) throw error;
            unsure.push(notice);
          }
          answers += 1;
          if (answers >= killAfter && !killed) {
            killed = true;
            server.kill('SIGKILL');
          }
        }
      };
      const ended = once(server, 'exit');
      await Promise.all(Array.from({ length: SENDERS }, sender));
      if (last) server.kill('SIGTERM');
      expect(await ended).toEqual(last ? [0, null] : [null, 'SIGKILL']);
      await dispatcher.destroy();
    }

    const clickhouse = await openClickHouse({ dataDir });
    onTestFinished(() => clickhouse.close());
    const stored = await clickhouse.query<{ bid_id: string; kind: string; times: number; spend: number }>(
      'select bid_id, kind, count() as times, sum(spend_micros) as spend from events group by bid_id, kind',
    );
    const spendOf = new Map(stored.map(({ bid_id, kind, spend }) => [`${bid_id} ${kind}`, spend]));
    expect(stored.filter(({ times }) => times > 1)).toEqual([]);
    const db = await openPostgres({ dataDir });
    onTestFinished(() => db.destroy());
    const booked = await db.selectFrom('adset_spend').select('ever_micros').execute();
    const sum = (amounts: number[]) => amounts.reduce((total, micros) => total + micros, 0);
    expect(sum(booked.map((row) => row.ever_micros))).toBe(sum(stored.map(({ spend }) => spend)));
    expect([...acknowledged.keys()].filter((key) => !spendOf.has(key))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(5000);
    const wrong = [...acknowledged].filter(([key, { spendMicros }]) => spendOf.get(key) !== spendMicros);
    expect(wrong).toEqual([]);
    // Nothing but what was sent: an event that was stored and whose answer the kill swallowed is among the retried ones.
    expect(stored.length).toBe(acknowledged.size);
  },
);
