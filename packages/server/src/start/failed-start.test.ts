import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createApp } from './app.ts';
import { readConfig } from '../config/config.ts';
import { DataFolderUnusable } from '../platform/clickhouse/connection.ts';
import { connectPostgres } from '../platform/postgres/client.ts';

/** An embedded PostgreSQL that records whether it was closed; a thread that is left open keeps its process from ending. */
const embedded = () => ({ exchange: vi.fn(), close: vi.fn(async () => {}) });

test('a start that fails because the events cannot be opened closes the embedded PostgreSQL', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-failed-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // A folder where chDB expects a file.
  await mkdir(join(folder, 'clickhouse', 'status'), { recursive: true });
  const config = readConfig({ NODE_ENV: 'test', DATA_DIR: folder, LOG_LEVEL: 'silent' });
  const postgres = embedded();
  await expect(createApp(config, { embedded: postgres })).rejects.toThrow(DataFolderUnusable);
  expect(postgres.close).toHaveBeenCalledOnce();
});

test('a database without a statement is closed once', async () => {
  const postgres = embedded();
  const db = await connectPostgres({ embedded: postgres });
  await db.destroy();
  await db.destroy();
  expect(postgres.close).toHaveBeenCalledOnce();
});
