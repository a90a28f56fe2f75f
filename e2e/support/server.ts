import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const programs = fileURLToPath(new URL('../../packages/server/dist/', import.meta.url));
/** The operator's token of all servers of the browser tests. */
export const operatorToken = 'operator-token-of-the-browser-tests-only';

/** The built server, running on embedded engines in a temporary folder. */
export interface Server {
  url: string;
  /** Calls the operator's API; resolves to the response's `data`. */
  operator<T>(method: 'GET' | 'PATCH' | 'POST' | 'PUT', path: string, body?: object): Promise<T>;
}

/** The running server at a URL. */
export function serverAt(url: string, token = operatorToken): Server {
  return { url, operator: (method, path, body) => callOperator({ url, token }, method, path, body) };
}

/** A server used by one test only, which may stop and restart it. */
export interface OwnServer {
  server: Server;
  /** Its DATA_DIR. */
  folder: string;
  /** Stops the server gracefully; its data stays. */
  halt(): Promise<void>;
  /** Restarts the server at the same URL. */
  resume(): Promise<void>;
  /** Stops the server and removes its folder. */
  stop(): Promise<void>;
}

/** A folder for a server; a copy of `from`, where given. */
export async function temporaryFolder(from?: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-e2e-'));
  if (from) await cp(from, folder, { recursive: true });
  return folder;
}

/**
 * Runs a built program on a free port and in a temporary folder. `env` has further settings; `from` is the folder of a
 * halted server whose data it starts with.
 */
export async function startServer(
  program: 'serve' | 'demo',
  env: Record<string, string> = {},
  from?: string,
): Promise<OwnServer> {
  const folder = await temporaryFolder(from);
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
        // Browser tests must not fetch pages of app stores.
        STORE_PAGES: 'off',
        // Only where there is a mail server: mails hold links to the console.
        ...(env['SMTP_URL'] && { PUBLIC_URL: url }),
        ...env,
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
    server: serverAt(url),
    folder,
    halt,
    resume,
    async stop() {
      if (child.exitCode === null) await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A random IP address of a private range: the server has rate limits per address. */
export function freshAddress(): string {
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

async function callOperator<T>(
  { url, token }: { url: string; token: string },
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const response = await fetch(`${url}/api/operator${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: T };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
}
