import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { debianBinaries, runAsPostgres } from './postgres-programs.ts';
import type { EmptyDatabase } from './postgres-server.ts';

/** A streaming replica of a temporary database's server. */
export interface PostgresReplica {
  url: string;
  /** Stops the replay of the primary's writes; resolves once it has stopped. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it at once, as a crash does. To be called before the primary's `remove`. */
  kill(): void;
}

const PORT = '5433';
const STATEMENT_MS = 60_000;
const PAUSE_TRIES = 100;

/** Copies the server of `primary` and starts the copy as its replica; null if this process did not start that server. */
export function postgresReplica(primary: EmptyDatabase): PostgresReplica | null {
  const binaries = debianBinaries();
  const url = new URL(primary.url);
  const folder = url.searchParams.get('host');
  if (!binaries || !folder) return null;
  const data = join(folder, 'replica');
  const copy = `-h ${folder} -U postgres -D ${data} -X stream -c fast -R --no-sync`;
  runAsPostgres(join(binaries, 'pg_basebackup'), copy.split(' '));
  const control = (...args: string[]) =>
    runAsPostgres(join(binaries, 'pg_ctl'), ['-D', data, '-w', '-t', '20', ...args]);
  const options = `-F -p ${PORT} -c listen_addresses='' -c unix_socket_directories='${folder}'`;
  control('-l', join(folder, 'replica.log'), '-o', options, 'start');
  process.once('exit', kill);
  let isRunning = true;
  function kill(): void {
    if (isRunning) control('-m', 'immediate', 'stop');
    isRunning = false;
  }
  url.port = PORT;
  return {
    url: url.href,
    kill,
    async pause() {
      await run(url.href, 'select pg_wal_replay_pause()');
      for (let tries = 0; tries < PAUSE_TRIES; tries += 1) {
        if ((await run(url.href, 'select pg_get_wal_replay_pause_state()')) === 'paused') return;
        await wait(20);
      }
      throw new Error('The replica does not pause.');
    },
    async resume() {
      await run(url.href, 'select pg_wal_replay_resume()');
    },
  };
}

/** Runs a statement and returns its first value. */
async function run(connectionString: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString, query_timeout: STATEMENT_MS });
  await client.connect();
  try {
    const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
    return rows[0]?.[0];
  } finally {
    await client.end();
  }
}
