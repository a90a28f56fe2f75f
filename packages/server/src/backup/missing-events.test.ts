import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { temporaryFolder } from '@bidwell/testing/backups';
import { testApp } from '@bidwell/testing/test-app';
import { backup } from './backup.ts';

const app = await testApp();

test('events that are booked and gone are named, and everything else is in the backup', async () => {
  const { db, clickhouse, files } = app.ctx;
  const { companyId } = await app.freshCompany();
  await db.insertInto('booked_batches').values({ batch: uuidv7() }).execute();
  const parts = { db, clickhouse, files, secrets: null, isShared: true, waitMs: 0 };
  const steps = backup(parts, join(await temporaryFolder(), 'spool'));
  const contents = new Map<string, Buffer>();
  let step = await steps.next();
  for (; !step.done; step = await steps.next())
    if ('file' in step.value) contents.set(step.value.file, await readFile(step.value.path));
  expect(step.value).toEqual([
    expect.stringMatching(/^The backup lacks the events of 1 segment of an event log, made since 20/),
  ]);
  expect(JSON.parse(contents.get('manifest.json')!.toString())).toMatchObject({ missing: step.value });
  expect(gunzipSync(contents.get('state/companies-0001.jsonl.gz')!).toString()).toContain(companyId);
});
