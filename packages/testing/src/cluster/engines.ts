import { chownSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { natsProgram } from '../engines/nats-server.ts';
import {
  commandAsPostgres,
  debianBinaries,
  postgresOwner,
  runAsPostgres,
} from '../engines/postgres-programs.ts';
import { endingWithUs, ManagedProcess } from './managed-process.ts';

export const ENGINES = ['postgres', 'nats', 'clickhouse', 's3'] as const;
export type EngineName = (typeof ENGINES)[number];

/** A database or other service that the server processes use, on a port of this machine. */
export interface Engine {
  name: EngineName;
  port: number;
  process: ManagedProcess;
  /** The environment variables that point a server process to it, at its own port or at the port of a relay. */
  environment(port: number): Record<string, string>;
}

const DATABASE = 'bidwell';
const BUCKET = 'creatives';
const S3_KEY = 'S3RVER';

/** PostgreSQL of Debian with an empty database, in `folder`. Throws if it is not installed. */
export function postgresEngine(folder: string, port: number): Engine {
  const binaries = debianBinaries();
  if (!binaries) throw new Error('PostgreSQL is missing: install it (Debian: apt-get install postgresql).');
  const data = join(folder, 'data');
  mkdirSync(folder);
  const owner = postgresOwner();
  if (owner) chownSync(folder, owner.user, owner.group);
  // The database does not outlive a crash of the machine, so nothing waits for the disk.
  const format = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  runAsPostgres(join(binaries, 'initdb'), ['-D', data, ...format]);
  const settings = ['max_connections=200', `unix_socket_directories=${folder}`, `port=${port}`];
  // The kernel resets this signal when a process changes its user, so it is set after that.
  const server = endingWithUs(
    join(binaries, 'postgres'),
    ['-D', data, '-F', '-h', '127.0.0.1', ...settings.flatMap((setting) => ['-c', setting])],
    'QUIT',
  );
  const url = (name: string, at = port) => `postgres://postgres@127.0.0.1:${at}/${name}`;
  return {
    name: 'postgres',
    port,
    environment: (at) => ({ DATABASE_URL: url(DATABASE, at) }),
    process: new ManagedProcess({
      name: 'postgres',
      ...commandAsPostgres(server.command, server.args),
      // A fast shutdown; on SIGTERM it would wait for its clients.
      stopSignal: 'SIGINT',
      isReady: (output) => output.includes('ready to accept connections') && hasDatabase(url('postgres')),
      // The processes of a killed server need a moment to end.
      isTransient: (output) => output.includes('shared memory block') || output.includes('lock file'),
    }),
  };
}

async function hasDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 30_000,
    query_timeout: 60_000,
  });
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [DATABASE]);
    if (rowCount === 0) await client.query(`create database ${DATABASE}`);
    return true;
  } finally {
    await client.end();
  }
}

/** NATS with JetStream, in `folder`. Throws if it is not installed. */
export function natsEngine(folder: string, port: number): Engine {
  const program = natsProgram();
  if (!program) throw new Error('NATS is missing: install it (Debian: apt-get install nats-server).');
  return {
    name: 'nats',
    port,
    environment: (at) => ({ NATS_URL: `nats://127.0.0.1:${at}` }),
    process: new ManagedProcess({
      name: 'nats',
      ...endingWithUs(program, ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', folder], 'KILL'),
      isReady: (output) => output.includes('Server is ready'),
    }),
  };
}

/** chDB behind ClickHouse's HTTP interface, in `folder`. */
export function clickhouseEngine(folder: string, port: number): Engine {
  return {
    name: 'clickhouse',
    port,
    environment: (at) => ({ CLICKHOUSE_URL: `http://127.0.0.1:${at}` }),
    process: typescriptProcess('clickhouse', '../engines/fake-clickhouse.ts', [String(port), folder]),
  };
}

/** An S3-compatible server with one empty bucket, in `folder`. */
export function s3Engine(folder: string, port: number): Engine {
  return {
    name: 's3',
    port,
    environment: (at) => ({
      S3_ENDPOINT: `http://127.0.0.1:${at}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: S3_KEY,
      S3_SECRET_ACCESS_KEY: S3_KEY,
    }),
    process: typescriptProcess('s3', './s3-program.ts', [String(port), folder, BUCKET]),
  };
}

/** A program of this folder that prints `listening` once it is ready. */
function typescriptProcess(name: string, program: string, args: readonly string[]): ManagedProcess {
  const loader = new URL('../../../../scripts/typescript.mjs', import.meta.url);
  return new ManagedProcess({
    name,
    command: process.execPath,
    args: ['--import', loader.href, fileURLToPath(new URL(program, import.meta.url)), ...args],
    hasChannel: true,
    isReady: (output) => output.includes('listening'),
  });
}
