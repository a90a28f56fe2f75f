import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import type { App } from '../start/app.ts';
import { pathOf, sampleRef } from '../delivery/trackers/sample-ref.ts';
import { createSigner } from '../delivery/trackers/signer.ts';
import { FOLDED } from '../platform/postgres/folded-migrations.ts';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { backUp, configOf, restoreFrom, temporaryFolder, withServer } from '@bidwell/testing/backups';
import { type TestApp, type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';
import { BackupFailed } from './backup-failed.ts';
import type { Manifest } from './manifest.ts';

const SECRET = 'a signing secret of the backup tests, fixed';
const app = await testApp({ MODERATION: 'auto', SIGNING_SECRET: SECRET });
const folder = await temporaryFolder();
const place = join(folder, 'backup');
const signer = createSigner(SECRET, 'http://bidwell.test');
const LISTS = [
  '/app',
  '/campaign',
  '/adset',
  '/v2/internal_creative',
  '/creative_group',
  '/target',
  '/tracking_link',
];

/** The company whose events were being recorded while the backup was made. */
let company: TestCompany;
/** Bids that were charged before the backup began. */
const before: string[] = [];
let lists: string;
const lastBackup: Record<string, string | null> = {};

/** Sends the billing notice and the impression of a new bid; resolves to its id. */
async function charge(ids: {
  companyId: string;
  campaignId: string;
  adsetId: string;
  appId: string;
}): Promise<string> {
  const ref = sampleRef(ids);
  const urls = signer.urlsFor(ref);
  await app.http.inject({ method: 'GET', url: pathOf(urls.billing, '2.5') });
  await app.http.inject({ method: 'GET', url: pathOf(urls.impression) });
  return ref.bidId;
}

async function listsOf(server: Pick<App, 'http'>): Promise<string> {
  const responses = await Promise.all(
    LISTS.map(async (path) =>
      server.http.inject({
        url: `/api/internal${path}`,
        headers: { authorization: `Bearer ${company.token}` },
      }),
    ),
  );
  return JSON.stringify(
    responses.map((response) => [response.statusCode, response.json<unknown>()]),
    null,
    1,
  );
}

/** When the health screen says that the last backup was made. */
async function lastBackupOf({ operator }: Pick<TestApp, 'operator'>): Promise<string | null> {
  const { data } = await operator('GET', '/health');
  return (data as { last_backup_at: string | null }).last_backup_at;
}

beforeAll(async () => {
  company = await app.freshCompany();
  const { appUuid, adsetUuid, campaignUuid } = await makeRunningCampaign(app, company);
  const ids = { companyId: company.companyId, appId: appUuid, campaignId: campaignUuid, adsetId: adsetUuid };
  for (let bid = 0; bid < 20; bid += 1) before.push(await charge(ids));
  // So that their spend is booked when the state is read.
  await app.settled();
  lists = await listsOf(app);
  const ended = new AbortController();
  const load = async () => {
    while (!ended.signal.aborted) await charge(ids);
  };
  const loads = [load(), load(), load()];
  lastBackup.before = await lastBackupOf(app);
  await backUp(app.ctx.config, place, app);
  lastBackup.after = await lastBackupOf(app);
  ended.abort();
  await Promise.all(loads);
  await app.close();
});

const manifest = async (): Promise<Manifest> =>
  JSON.parse(await readFile(join(place, 'manifest.json'), 'utf8')) as Manifest;

test('a backup made under load is restored: lists, files and secrets are the same, and the ledger equals the reports', async () => {
  const config = configOf(join(folder, 'restored'), { SIGNING_SECRET: SECRET });
  await restoreFrom(place, config);
  await withServer(configOf(join(folder, 'restored'), { SIGNING_SECRET: SECRET }), async (restored) => {
    expect(await listsOf(restored)).toBe(lists);
    const check = await restored.http.inject({
      url: '/api/operator/ledger/check',
      headers: { authorization: `Bearer ${restored.ctx.config.operatorToken}` },
    });
    expect(check.json()).toMatchObject({ data: { disagreements: [] } });
    const { clickhouse, db } = restored.ctx;
    const [events] = await clickhouse.query<{ rows: number; pairs: number; spend: number }>(
      'select count() as rows, uniqExact(bid_id, kind) as pairs, sum(spend_micros) as spend from events',
    );
    const { clickhouse: stored } = await manifest();
    const parts = stored.tables.flatMap(({ table, parts: all }) => (table === 'events' ? all : []));
    expect(events!.rows).toBe(parts.reduce((sum, { rows }) => sum + rows, 0));
    expect(events!.pairs).toBe(events!.rows);
    const [known] = await clickhouse.query<{ bids: number }>(
      "select count() as bids from events where kind = 'billing' and has({bids:Array(UUID)}, bid_id)",
      { bids: before },
    );
    expect(known!.bids).toBe(before.length);
    const booked = await db.selectFrom('adset_spend').select('ever_micros').executeTakeFirst();
    expect(booked?.ever_micros).toBe(events!.spend);
    const files = await db.selectFrom('files').select(['uuid', 'size_bytes']).execute();
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(await restored.ctx.files.size(file.uuid)).toBe(file.size_bytes);
  });
});

test('every event that was booked when the state was read is in the backup', async () => {
  const { postgres, clickhouse } = await manifest();
  const booked = postgres.tables.find(({ table }) => table === 'adset_spend')!.sums['ever_micros'];
  const spend = clickhouse.tables[0]!.parts.reduce((sum, part) => sum + part.spend_micros, 0);
  expect(spend).toBeGreaterThanOrEqual(Number(booked));
  expect(Number(booked)).toBeGreaterThan(0);
});

test('a complete backup is the last one on the health screen', () => {
  expect(lastBackup['before']).toBeNull();
  expect(lastBackup['after']).not.toBeNull();
});

test.each(['state/campaigns-0001.jsonl.gz', 'files.jsonl', 'secrets.json', 'events'])(
  'a damaged file is named, and nothing is restored: %s',
  async (name) => {
    const damaged = join(folder, uuidv7());
    await cp(place, damaged, { recursive: true });
    const { clickhouse } = await manifest();
    const file = name === 'events' ? clickhouse.tables[0]!.parts[0]!.file : name;
    const content = await readFile(join(damaged, file));
    content[Math.floor(content.length / 2)]! ^= 1;
    await writeFile(join(damaged, file), content);
    const config = configOf(join(folder, uuidv7()));
    await expect(restoreFrom(damaged, config)).rejects.toThrow(
      new BackupFailed(`${file} of the backup is damaged: its SHA-256 sum is not that of manifest.json.`),
    );
    await rm(join(damaged, file));
    await expect(restoreFrom(damaged, config, { isNew: false })).rejects.toThrow(
      new BackupFailed(`${file} of the backup is missing.`),
    );
  },
);

test.each([
  [
    'a later format',
    (m: Manifest) => ({ ...m, format: 2 }),
    /made by release [\d.]+ in format 2, and this release reads formats up to 1/,
  ],
  [
    'later tables',
    (m: Manifest) => ({
      ...m,
      postgres: { ...m.postgres, migrations: [...m.postgres.migrations, '9999-later'] },
    }),
    /whose tables are newer than this release knows \(9999-later\)/,
  ],
  [
    'tables of no release',
    (m: Manifest) => ({
      ...m,
      postgres: { ...m.postgres, migrations: [...m.postgres.migrations, FOLDED[0]!] },
    }),
    /^The backup was made by sources between the releases 0\.1\.0 and 0\.2\.0: restore it with them/,
  ],
  [
    'later tables of events',
    (m: Manifest) => ({ ...m, clickhouse: { ...m.clickhouse, version: 999 } }),
    /whose tables are newer than this release knows \(version 999 of the events\)/,
  ],
])('a backup with %s is refused', async (_what, change, sentence) => {
  const later = join(folder, uuidv7());
  await cp(place, later, { recursive: true });
  await writeFile(join(later, 'manifest.json'), JSON.stringify(change(await manifest())));
  await expect(restoreFrom(later, configOf(join(folder, uuidv7())))).rejects.toThrow(sentence);
});

exhaustive('a backup of the last sources before the fold of the migrations is restored', async () => {
  const earlier = join(folder, uuidv7());
  const dataDir = join(folder, uuidv7());
  await cp(place, earlier, { recursive: true });
  const description = await manifest();
  description.postgres.migrations = [
    // The tables of later migrations are in this backup too.
    ...description.postgres.migrations.filter((name) => name < FOLDED[0]! || name > '0042-online-indexes'),
    ...FOLDED,
  ];
  await writeFile(join(earlier, 'manifest.json'), JSON.stringify(description));
  await restoreFrom(earlier, configOf(dataDir));
  await withServer(configOf(dataDir), async (restored) => expect(await listsOf(restored)).toBe(lists));
});

test('a backup is not restored over an installation, and not written over another one', async () => {
  await expect(restoreFrom(place, configOf(join(folder, 'restored')), { isNew: false })).rejects.toThrow(
    /^The installation is not empty/,
  );
  await expect(backUp(configOf(join(folder, 'restored')), place)).rejects.toThrow(
    /is not empty: give each backup/,
  );
  await expect(restoreFrom(join(folder, 'nothing'), configOf(join(folder, uuidv7())))).rejects.toThrow(
    /has no backup: manifest\.json is missing/,
  );
});

exhaustive(
  'an interrupted restore keeps the server from starting, and starts over when repeated',
  async () => {
    const dataDir = join(folder, uuidv7());
    const broken = join(folder, uuidv7());
    await cp(place, broken, { recursive: true });
    // Verified without a fault, but rejected by ClickHouse: the state is loaded by then.
    const description = await manifest();
    description.clickhouse.tables[0]!.parts[0]!.rows += 1;
    await writeFile(join(broken, 'manifest.json'), JSON.stringify(description));
    await expect(restoreFrom(broken, configOf(dataDir))).rejects.toThrow(/^events of \d{6} has \d+ rows/);
    await expect(withServer(configOf(dataDir), async () => {})).rejects.toThrow(
      /^A backup was being restored into this installation and is incomplete/,
    );
    await restoreFrom(place, configOf(dataDir), { isNew: false });
    await withServer(configOf(dataDir), async (restored) => expect(await listsOf(restored)).toBe(lists));
  },
);
