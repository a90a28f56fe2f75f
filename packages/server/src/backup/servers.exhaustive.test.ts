import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import type { App } from '../start/app.ts';
import { backUp, configOf, restoreFrom, temporaryFolder, withServer } from '@bidwell/testing/backups';
import { startClickHouseServer } from '@bidwell/testing/engines/clickhouse-server';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { move } from './move.ts';

/** A backup in format 1 with the tables of release 0.1.0: every release reads it, so it is never regenerated. */
const FORMAT_1 = fileURLToPath(new URL('../../../testing/src/backup-format-1', import.meta.url));
const COMPANY = 'tester.aab';

const database = await emptyDatabase(process.env['TEST_DATABASE_URL']);
const folder = await temporaryFolder();
afterAll(async () => database?.remove());

/** The data of an installation that operators and reports show. */
async function figuresOf({ http, ctx }: App) {
  const headers = { authorization: `Bearer ${ctx.config.operatorToken}` };
  const companies = await http.inject({ url: '/api/operator/companies', headers });
  const ledger = await http.inject({ url: '/api/operator/ledger/check', headers });
  const [events] = await ctx.clickhouse.query<object>(
    `select count() as rows, uniqExact(bid_id, kind) as pairs, sum(spend_micros) as spend,
       countIf(kind = 'install') as installs from events`,
  );
  const files = await ctx.db.selectFrom('files').select(['uuid', 'size_bytes']).execute();
  const sizes = await Promise.all(files.map(async ({ uuid }) => ctx.files.size(uuid)));
  expect(sizes).toEqual(files.map((file) => file.size_bytes));
  return {
    companies: companies.json<unknown>(),
    ledger: { data: { ...ledger.json<{ data: object }>().data, checked_at: null } },
    events,
    files: files.length,
  };
}

const EXPECTED = {
  companies: { data: { companies: [{ logins: [COMPANY] }] } },
  ledger: { data: { disagreements: [] } },
  files: 1,
};

test('a backup in format 1 is restored', async () => {
  const dataDir = join(folder, 'embedded');
  const config = configOf(dataDir);
  expect(await restoreFrom(FORMAT_1, config)).toContainEqual(expect.stringMatching(/^events: \d+ rows$/));
  await withServer(configOf(dataDir), async (app) => {
    expect(await figuresOf(app)).toMatchObject(EXPECTED);
  });
});

describe.skipIf(!database)('with database servers', () => {
  test('an embedded installation moves to servers, which are backed up into S3, and from there back', async () => {
    const s3 = await startS3Server();
    const clickhouse = await startClickHouseServer(join(folder, 'clickhouse-server'));
    try {
      const dataDir = join(folder, 'embedded');
      const servers = { DATABASE_URL: database!.url, CLICKHOUSE_URL: clickhouse.url, ...s3.environment };
      const lines: string[] = [];
      const compared = await move(configOf(dataDir, servers), {
        scratch: folder,
        say: (line) => void lines.push(line),
      });
      expect(compared.filter(({ same }) => !same)).toEqual([]);
      expect(compared).toContainEqual(
        expect.objectContaining({
          what: expect.stringMatching(/^spend of \d{6} by company and day$/),
          rows: 1,
        }),
      );
      await expect(move(configOf(dataDir, servers), { scratch: folder, say: () => {} })).rejects.toThrow(
        /^The installation is not empty/,
      );
      // The files are in S3, and the secrets in PostgreSQL.
      await rm(join(dataDir, 'files'), { recursive: true });
      const before = await withServer(configOf(dataDir, servers), figuresOf);
      expect(before).toMatchObject(EXPECTED);

      const place = 's3://creatives/backups/monday';
      const operator = join(folder, 'operator');
      // A server with this folder is loading a file.
      await mkdir(join(operator, 'file-cache'), { recursive: true });
      await writeFile(join(operator, 'file-cache', 'loading.partial'), '');
      // A command was killed two days ago.
      const left = join(operator, 'command-killed');
      await mkdir(left);
      const before48h = Date.now() / 1000 - 2 * 86_400;
      await utimes(left, before48h, before48h);
      await backUp(configOf(operator, servers), place);
      expect((await readdir(operator)).toSorted()).toEqual(['file-cache', 'secrets.json']);
      expect(await readdir(join(operator, 'file-cache'))).toEqual(['loading.partial']);
      await expect(backUp(configOf(operator, servers), place)).rejects.toThrow(
        `${place} has a backup already: give each backup a prefix of its own.`,
      );
      const restored = join(folder, 'from-servers');
      await restoreFrom(place, configOf(restored, s3.environment));
      const after = await withServer(configOf(restored, s3.environment), figuresOf);
      expect(after).toEqual(before);
    } finally {
      await clickhouse.stop();
      await s3.stop();
    }
  });
});
