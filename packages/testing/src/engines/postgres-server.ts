import { chownSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
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
  if (url) return databaseIn(url);
  const binaries = debianBinaries();
  return binaries ? ownServer(binaries) : null;
}

async function databaseIn(url: string): Promise<EmptyDatabase> {
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
  await run(`create database ${name}`);
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

async function ownServer(binaries: string): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-postgres-'));
  const data = join(folder, 'data');
  const control = (...args: string[]) => runAsPostgres(join(binaries, 'pg_ctl'), ['-D', data, '-w', ...args]);
  const owner = postgresOwner();
  if (owner) chownSync(folder, owner.user, owner.group);
  // The database does not outlive a crash of the machine, so nothing waits for the disk.
  const settings = '-U postgres -A trust -E UTF8 --no-sync'.split(' ');
  runAsPostgres(join(binaries, 'initdb'), ['-D', data, ...settings]);
  // Listens on a Unix socket in its own folder, so that no port is needed.
  control(
    '-l',
    join(folder, 'log'),
    '-o',
    `-F -c listen_addresses='' -c unix_socket_directories='${folder}'`,
    'start',
  );
  process.once('exit', stop);
  try {
    const database = await databaseIn(`postgres://postgres@localhost/postgres?host=${folder}`);
    return { ...database, remove: async () => stop() };
  } catch (error) {
    stop();
    throw error;
  }
  function stop(): void {
    process.off('exit', stop);
    control('-m', 'immediate', 'stop');
    rmSync(folder, { recursive: true, force: true });
  }
}
