import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { type App, createApp } from '@bidwell/server/start/app';
import { openSource, openTarget } from '@bidwell/server/backup/locations';
import { makeBackup } from '@bidwell/server/backup/make-backup';
import { restore } from '@bidwell/server/backup/restore';
import { type Config, readConfig } from '@bidwell/server/config/config';
import { installNewPostgres } from './empty-engines.ts';
import type { TestApp } from './test-app.ts';

/** A folder that is removed after the tests of the file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-backup-test-'));
  afterAll(async () => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The settings of a server on a data folder, for tests. */
export function configOf(dataDir: string, environment: Record<string, string> = {}): Config {
  return readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://bidwell.test',
    CAPTCHA: 'off',
    LOG_LEVEL: 'silent',
    STORE_PAGES: 'off',
    MODERATION: 'auto',
    ...environment,
  });
}

/** Opens the stream of a backup that a running server makes. */
async function streamOf(app: Pick<TestApp, 'http'>, token: string): Promise<AsyncIterable<Uint8Array>> {
  const response = await app.http.inject({
    method: 'GET',
    url: '/api/operator/backup',
    headers: { authorization: `Bearer ${token}` },
    payloadAsStream: true,
  });
  if (response.statusCode !== 200) throw new Error(`The server answered ${response.statusCode}.`);
  return response.stream() as AsyncIterable<Uint8Array>;
}

/** Makes a backup of an installation into `place`; `app` is its running server, null if it is stopped. */
export async function backUp(
  config: Config,
  place: string,
  app: Pick<TestApp, 'http'> | null = null,
): Promise<void> {
  const openStream = async () => {
    if (!app) throw new Error('The installation is in use.');
    return streamOf(app, config.operatorToken);
  };
  await makeBackup(config, async () => openTarget(place, config), {
    openStream,
    say: () => {},
    isServerNamed: app !== null,
  });
}

/** Restores a backup, with a new database where it is embedded; returns the lines that were printed. */
export async function restoreFrom(place: string, config: Config, { isNew = true } = {}): Promise<string[]> {
  if (!config.databaseUrl && isNew) await installNewPostgres(config.dataDir);
  const lines: string[] = [];
  const source = await openSource(place, config);
  try {
    await restore(config, source, { say: (line) => void lines.push(line) });
  } finally {
    await source.close();
  }
  return lines;
}

/** Runs `use` with a server on an installation, and stops it. */
export async function withServer<T>(config: Config, use: (app: App) => Promise<T>): Promise<T> {
  const app = await createApp(config);
  try {
    await app.settled();
    return await use(app);
  } finally {
    await app.close();
  }
}
