import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { BackupFailed } from './backup-failed.ts';
import { monthsOf, spendByDay } from './event-tables-store.ts';
import { type Installation, hasServers, openInstallation } from './installation.ts';
import { makeBackup } from './make-backup.ts';
import type { Manifest } from './manifest.ts';
import { openSource, openTarget } from './locations.ts';
import { restore } from './restore.ts';

type Say = (line: string) => void;

/** A line of the comparison: the compared table or files, and whether the servers have the same. */
export interface Compared {
  what: string;
  rows: number;
  micros: string;
  same: boolean;
}

/**
 * Moves a stopped installation from the databases in DATA_DIR to the servers of `config`, by a backup in a folder below
 * `scratch`, which is deleted afterwards. DATA_DIR stays as it is. Returns the comparison of both. Throws {@link BackupFailed}.
 */
export async function move(
  config: Config,
  { scratch, say }: { scratch: string; say: Say },
): Promise<Compared[]> {
  if (!hasServers(config))
    throw new BackupFailed(
      'Set DATABASE_URL and CLICKHOUSE_URL to the servers that the installation moves to.',
    );
  const source: Config = { ...config, databaseUrl: undefined, clickhouseUrl: undefined, s3: null };
  const folder = await mkdtemp(join(scratch, 'bidwell-move-'));
  try {
    const place = join(folder, 'backup');
    const openStream = async () => {
      throw new BackupFailed(
        `The server of ${config.dataDir} runs: stop it first, so that nothing is left behind.`,
      );
    };
    const { missing } = await makeBackup(source, () => openTarget(place, source), { openStream, say });
    if (missing.length > 0) throw new BackupFailed(missing.join(' '));
    const opened = await openSource(place, source);
    const manifest = await restore(config, opened, { say, isMove: true });
    return await compare(source, config, manifest);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(source: Config, config: Config, manifest: Manifest): Promise<Compared[]> {
  const from = await openInstallation(source);
  try {
    const to = await openInstallation(config);
    try {
      // Rows and sums of PostgreSQL were compared table by table when they were loaded.
      const tables = manifest.postgres.tables.map(({ table, rows, sums }) => ({
        what: table,
        rows,
        micros: Object.values(sums).join(' '),
        same: true,
      }));
      return [...tables, ...(await compareEvents(from, to))];
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** Compares events by month, and their spend by company and day. */
async function compareEvents(from: Installation, to: Installation): Promise<Compared[]> {
  const compared: Compared[] = [];
  for (const table of ['events', 'postbacks'] as const) {
    const found = new Map((await monthsOf(to.clickhouse, table)).map((month) => [month.month, month]));
    for (const { month, rows, spendMicros } of await monthsOf(from.clickhouse, table)) {
      const its = found.get(month);
      const same = its?.rows === rows && its.spendMicros === spendMicros;
      compared.push({ what: `${table} of ${month}`, rows, micros: String(spendMicros), same });
      if (table === 'events') compared.push(await compareDays(from, to, month));
    }
  }
  return compared;
}

async function compareDays(from: Installation, to: Installation, month: number): Promise<Compared> {
  const [expected, found] = [
    await spendByDay(from.clickhouse, month),
    await spendByDay(to.clickhouse, month),
  ];
  const spend = new Map(found.map(({ company, day, spendMicros }) => [`${company} ${day}`, spendMicros]));
  const same =
    expected.length === found.length &&
    expected.every(({ company, day, spendMicros }) => spend.get(`${company} ${day}`) === spendMicros);
  const micros = expected.reduce((sum, { spendMicros }) => sum + spendMicros, 0);
  return {
    what: `spend of ${month} by company and day`,
    rows: expected.length,
    micros: String(micros),
    same,
  };
}
