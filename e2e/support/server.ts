import { test as base } from '@playwright/test';
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('../../packages/server/dist/', import.meta.url));
/** The operator's token of every server of the browser tests. */
export const operatorToken = 'operator-token-of-the-browser-tests-only';

/** The built server, running on embedded engines in a folder of its own. */
export interface Server {
  url: string;
  /** Calls the operator's API; answers what the envelope holds. */
  operator<T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T>;
}

/**
 * Tests share `server`, which begins empty: each makes a company of its own. Companies compete
 * in the same auctions: a test that bids, or that stops its server, takes `ownServer`.
 */
export const test = base.extend<{ ownServer: OwnServer }, { server: Server }>({
  // The server limits what one address may try: each test is a visitor with its own.
  // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
  extraHTTPHeaders: async ({}, use) => use({ 'x-forwarded-for': freshAddress() }),
  server: [
    // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
    async ({}, use) => {
      const { server, stop } = await startServer('serve');
      await use(server);
      await stop();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  ownServer: [
    // oxlint-disable-next-line no-empty-pattern -- the form that fixtures have
    async ({}, use) => {
      const own = await startServer('serve');
      await use(own);
      await own.stop();
    },
    { timeout: 180_000 },
  ],
});

/** A server that one test has to itself, and may stop and start again. */
export interface OwnServer {
  server: Server;
  /** Ends it as an operator does; what it keeps stays. */
  halt(): Promise<void>;
  /** Starts it again, at the same address. */
  resume(): Promise<void>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

/** Runs a built program on a port and in a folder of its own. */
export async function startServer(program: 'serve' | 'demo'): Promise<OwnServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-e2e-'));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess;
  const resume = async () => {
    child = spawn(process.execPath, ['--enable-source-maps', join(programs, `${program}.js`)], {
      env: {
        ...process.env,
        NODE_ENV: 'production',
        PORT: String(port),
        DATA_DIR: folder,
        OPERATOR_TOKEN: operatorToken,
        LOG_LEVEL: 'warn',
        TRUST_PROXY: '1',
        // Nothing that a browser test makes is looked up in a store.
        STORE_PAGES: 'off',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    await ready(url, child);
  };
  const halt = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  await resume();
  return {
    server: { url, operator: (method, path, body) => callOperator(url, method, path, body) },
    halt,
    resume,
    async stop() {
      if (child.exitCode === null) await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** An address of the range that is nobody's. */
function freshAddress(): string {
  return `10.${[...randomBytes(3)].join('.')}`;
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((again) => setTimeout(again, 100));
  }
  throw new Error('The server ended before it was ready.');
}

async function callOperator<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${url}/api/operator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${operatorToken}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}
