import type { AddressInfo } from 'node:net';
import { type Logger, pino } from 'pino';
import { type App, createApp } from './app.ts';
import { adminUrlForBrowsers, type Config } from '../config/config.ts';
import { ConfigError } from '../config/environment.ts';
import { AnotherTracker } from '../delivery/public.ts';
import { DataFolderInUse, DataFolderUnusable } from '../platform/clickhouse/connection.ts';
import { EncryptionKeyMissing } from '../platform/encryption.ts';
import { FolderInUse } from '../platform/files/folder-lock.ts';
import { S3Refused } from '../platform/files/s3.ts';
import { hasOperators } from '../modules/identity/public.ts';
import { restrictNewFiles, makePrivateFolder } from '../platform/files/private-folder.ts';
import { FoldedInPart } from '../platform/postgres/folded-migrations.ts';
import { SchemaTooNew } from '../platform/postgres/migrate.ts';
import { RestoreIncomplete } from '../platform/postgres/restore-marker.ts';
import { withSharedSecrets } from '../config/shared-secrets.ts';
import { createLogger } from '../platform/telemetry/logger.ts';

/** A server that accepts requests. */
export interface RunningServer {
  /** The console's URL, without a trailing slash. */
  url: string;
  /** URL of the operator's API and console, without a trailing slash: the same, or of a port of their own if ADMIN_PORT is set. */
  operatorUrl: string;
  operatorToken: string;
  /** Whether any operator account existed at the start. */
  hasOperators: boolean;
  /**
   * Reports "not ready", serves requests for the grace period, waits for running requests, stores acknowledged events,
   * returns leases and closes the engines.
   */
  close(): Promise<void>;
}

/**
 * Opens and migrates the engines. `now` replaces the clock. Throws ConfigError where the memory limit is too low.
 */
export async function open(own: Config, options: { now?: () => Date } = {}): Promise<App> {
  assertEnoughMemory(own);
  restrictNewFiles();
  makePrivateFolder(own.dataDir);
  return createApp(await withSharedSecrets(own), options);
}

/** Opens and migrates the engines and listens. Throws ConfigError where the memory limit is too low. */
export async function start(own: Config): Promise<RunningServer> {
  const app = await open(own);
  try {
    const url = await app.listen();
    return {
      url,
      operatorUrl: operatorUrlOf(app) ?? url,
      operatorToken: app.ctx.config.operatorToken,
      hasOperators: await hasOperators(app.ctx.db),
      async close() {
        await app.drain();
        await app.close();
      },
    };
  } catch (error) {
    await app.close();
    throw error;
  }
}

/** URL of the operator's port of a server that listens; null where it has none. */
function operatorUrlOf({ admin, ctx }: App): string | null {
  if (!ctx.config.admin) return null;
  const { port } = admin.server.address() as AddressInfo;
  return adminUrlForBrowsers({ ...ctx.config.admin, port });
}

/** Memory that the server and its embedded databases need, in MiB. */
const EMBEDDED_MIB = 512;

/**
 * Throws ConfigError where the process may use too little memory for its embedded databases. The kernel would otherwise
 * kill it without a message, some time after the start.
 */
export function assertEnoughMemory({
  databaseUrl,
  clickhouseUrl,
  memoryMib,
}: Pick<Config, 'databaseUrl' | 'clickhouseUrl' | 'memoryMib'>): void {
  if ((databaseUrl && clickhouseUrl) || memoryMib >= EMBEDDED_MIB) return;
  throw new ConfigError(
    `The databases in this process need ${EMBEDDED_MIB} MiB of memory, but it may use ${memoryMib} MiB: raise the container's limit, or set DATABASE_URL and CLICKHOUSE_URL.`,
  );
}

/** Longest time for a stop. Acknowledged events are already in the event log; the next start stores them. */
const SHUTDOWN_MS = 10_000;

/**
 * Waits for SIGINT, SIGTERM or the end of the parent process, then calls `close`. The process exits at most ten seconds
 * later, even if work still runs; a second signal exits at once.
 */
export async function untilSignal(close: () => Promise<void>): Promise<void> {
  surviveRejections();
  await new Promise<void>((stop) => {
    for (const event of ['SIGINT', 'SIGTERM', 'disconnect'] as const) process.once(event, () => stop());
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, endNow);
  let closed = false;
  // Unreferenced, so that it does not delay the exit; it only ends work that would keep the process alive.
  setTimeout(() => {
    if (closed) process.exit(0);
    console.error(
      `Bidwell did not stop within ${SHUTDOWN_MS / 1000} seconds and ends now; the next start stores the events that wait in its log.`,
    );
    endNow();
  }, SHUTDOWN_MS).unref();
  await close();
  closed = true;
  if (process.connected) process.disconnect();
}

/** Ends the process without waiting for anything: `process.exit` would wait for a thread whose disk does not respond. */
function endNow(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Logs unhandled rejections instead of exiting, so that one failed background task does not stop bidding. */
function surviveRejections(): void {
  const log = createLogger('error');
  process.on('unhandledRejection', (err) => log.error({ err }, 'a background task failed'));
}

/** Prints in one sentence why the start failed, and logs the error if its cause is unknown. Returns the exit code. */
export function explainFailure(error: unknown, log: Pick<Logger, 'fatal'> = pino()): number {
  const sentence = knownReason(error);
  if (sentence === null) log.fatal({ err: error }, 'the server failed to start');
  console.error(
    sentence ?? `Bidwell could not start: ${firstLine(error)} The log line above has the details.`,
  );
  if (process.connected) process.disconnect();
  return 1;
}

/** Messages for failures that an operator can fix, by error code of Node (errno) or PostgreSQL (SQLSTATE). */
const reasons: Record<
  string,
  (error: NodeJS.ErrnoException & { port?: number; address?: string }) => string
> = {
  EADDRINUSE: ({ port }) => `Port ${port} is taken: set PORT to another one.`,
  EADDRNOTAVAIL: ({ address }) => `This machine has no address ${address}: set HOST to one it has.`,
  EACCES: ({ path, port }) =>
    path === undefined
      ? `Port ${port} may not be opened: set PORT to 1024 or above.`
      : `${path} may not be read or written: check its owner, or set DATA_DIR.`,
  EROFS: ({ path }) => `${path} is on a read-only disk: set DATA_DIR.`,
  ENOSPC: () => 'The disk is full.',
  ECONNREFUSED: ({ address, port }) =>
    `Nothing answers at ${address}:${port}: check DATABASE_URL and CLICKHOUSE_URL.`,
  ENOTFOUND: ({ message }) =>
    `A database has an unknown host name (${message}): check DATABASE_URL and CLICKHOUSE_URL.`,
  ETIMEDOUT: () => 'A database does not answer: check DATABASE_URL and CLICKHOUSE_URL.',
  '28P01': () => 'PostgreSQL refuses the name or password in DATABASE_URL.',
  '28000': () => 'PostgreSQL refuses the user in DATABASE_URL.',
  '3D000': () => 'The database that DATABASE_URL names does not exist.',
  '53300': () => 'PostgreSQL has no connection left: raise its max_connections.',
};

function knownReason(error: unknown): string | null {
  const explained = [
    ConfigError,
    AnotherTracker,
    DataFolderInUse,
    DataFolderUnusable,
    EncryptionKeyMissing,
    FolderInUse,
    RestoreIncomplete,
    S3Refused,
    SchemaTooNew,
    FoldedInPart,
  ];
  if (error instanceof Error && explained.some((known) => error instanceof known)) return error.message;
  // Connecting to a host name with several addresses fails with one error per address.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error;
  if (!(first instanceof Error)) return null;
  const code = String((first as NodeJS.ErrnoException).code);
  return Object.hasOwn(reasons, code) ? reasons[code]!(first) : null;
}

function firstLine(error: unknown): string {
  const text = (error instanceof Error ? error.message : String(error)).split('\n')[0]!.slice(0, 300);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
