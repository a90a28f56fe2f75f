import { openPostgres } from '@bidwell/server/platform/postgres/client';
import { execFile } from 'node:child_process';
import { chownSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { cacheFolder, digestOf, makeOnce, migrationsDigest } from '../cached.ts';
import { debianBinaries, postgresOwner, runAsPostgres } from './postgres-programs.ts';

/** A temporary, empty database on a PostgreSQL server. */
export interface EmptyDatabase {
  url: string;
  /** Such as "15.14". */
  version: string;
  remove(): Promise<void>;
}

/** The port or Unix socket of a database's server, for a relay. */
export function addressOf({ url }: EmptyDatabase): number | string {
  const { searchParams, port } = new URL(url);
  const folder = searchParams.get('host');
  return folder ? `${folder}/.s.PGSQL.${port || 5432}` : Number(port || 5432);
}

/** URL of the same database through a relay at `port`; `parameters` are added to the URL. */
export function throughRelay({ url }: EmptyDatabase, port: number, parameters: Record<string, string> = {}) {
  const address = new URL(url);
  address.searchParams.delete('host');
  address.hostname = '127.0.0.1';
  address.port = String(port);
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return address.href;
}

/**
 * Creates a database on the server at `url`, which `remove` drops; without `url`, on a server started from Debian's
 * binaries. Null if there is neither.
 */
export async function emptyDatabase(url: string | undefined): Promise<EmptyDatabase | null> {
  return databaseOf(url);
}

/** Like {@link emptyDatabase}, with the tables of this release where the server is started here: to make them takes seconds. */
export async function migratedDatabase(url: string | undefined): Promise<EmptyDatabase | null> {
  return databaseOf(url, MIGRATED);
}

/** The database of {@link stoppedServer} that has the tables of this release. */
const MIGRATED = 'migrated';

async function databaseOf(url: string | undefined, template?: string): Promise<EmptyDatabase | null> {
  if (url) return databaseIn(url);
  const binaries = debianBinaries();
  return binaries ? ownServer(binaries, template) : null;
}

async function databaseIn(url: string, template?: string): Promise<EmptyDatabase> {
  const name = `bidwell_bench_${process.pid}`;
  const run = async (statement: string) => {
    const client = new pg.Client(url);
    await client.connect();
    try {
      return await client.query<Record<string, string>>(statement);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name}${template ? ` template ${template}` : ''}`);
  const version = (await run('show server_version')).rows[0]!['server_version']!.split(' ')[0]!;
  const own = new URL(url);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    version,
    async remove() {
      await run(`drop database ${name}`);
    },
  };
}

async function ownServer(binaries: string, template?: string): Promise<EmptyDatabase> {
  const stopped = await stoppedServer(binaries);
  const { folder, urlOf, stop } = await startServer(binaries, async (data) => {
    await copyFolder(stopped, data);
  });
  const end = () => {
    process.off('exit', end);
    stop('immediate');
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', end);
  try {
    const database = await databaseIn(urlOf('postgres'), template);
    return { ...database, remove: async () => end() };
  } catch (error) {
    end();
    throw error;
  }
}

/** The data folder of a server with the database {@link MIGRATED}, cached on disk: initdb and the migrations take seconds. */
async function stoppedServer(binaries: string): Promise<string> {
  const path = join(cacheFolder, `postgres-server-${digestOf([binaries, await migrationsDigest()])}`);
  await makeOnce(path, async (partial) => {
    const { folder, data, urlOf, stop } = await startServer(binaries, async (empty) => {
      // The database does not outlive a crash of the machine, so nothing waits for the disk.
      const settings = '-U postgres -A trust -E UTF8 --no-sync'.split(' ');
      runAsPostgres(join(binaries, 'initdb'), ['-D', empty, ...settings]);
    });
    const client = new pg.Client(urlOf('postgres'));
    await client.connect();
    await client.query(`create database ${MIGRATED}`);
    await client.end();
    const db = await openPostgres({ url: urlOf(MIGRATED) });
    await db.destroy();
    stop('fast');
    await copyFolder(data, partial);
    rmSync(folder, { recursive: true, force: true });
  });
  return path;
}

/** Starts a server in a new folder, with the data that `fill` puts there. */
async function startServer(binaries: string, fill: (data: string) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-postgres-'));
  const data = join(folder, 'data');
  const control = (...args: string[]) => runAsPostgres(join(binaries, 'pg_ctl'), ['-D', data, '-w', ...args]);
  const owner = postgresOwner();
  if (owner) chownSync(folder, owner.user, owner.group);
  await fill(data);
  // Listens on a Unix socket in its own folder, so that no port is needed.
  control(
    '-l',
    join(folder, 'log'),
    '-o',
    `-F -c listen_addresses='' -c unix_socket_directories='${folder}'`,
    'start',
  );
  return {
    folder,
    data,
    urlOf: (database: string) => `postgres://postgres@localhost/${database}?host=${folder}`,
    stop: (mode: 'fast' | 'immediate') => control('-m', mode, 'stop'),
  };
}

/** Copies a folder with the owners of its files. */
const copyFolder = async (from: string, to: string) => promisify(execFile)('cp', ['-a', from, to]);
