import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { temporaryFolder } from '@bidwell/testing/backups';
import { uploadBanner } from '@bidwell/testing/bidding';
import { testApp } from '@bidwell/testing/test-app';
import { backup } from './backup.ts';

const app = await testApp();

/** The files of a backup by name, and the events that it lacks. `beforeState` is called before each transaction, which the
 * first time is between the readings of files and of the state. */
async function backedUp(beforeState: () => Promise<unknown> = async () => {}) {
  const { clickhouse, files } = app.ctx;
  const db = new Proxy(app.ctx.db, {
    get(real, name) {
      const transaction = () => ({
        execute: async (work: Parameters<ReturnType<typeof real.transaction>['execute']>[0]) => {
          await beforeState();
          return real.transaction().execute(work);
        },
      });
      const part: unknown = name === 'transaction' ? transaction : Reflect.get(real, name);
      return typeof part === 'function' ? part.bind(real) : part;
    },
  });
  const parts = { db, clickhouse, files, secrets: null, isShared: true, waitMs: 0 };
  const steps = backup(parts, join(await temporaryFolder(), 'spool'));
  const contents = new Map<string, Buffer>();
  let step = await steps.next();
  for (; !step.done; step = await steps.next())
    if ('file' in step.value) contents.set(step.value.file, await readFile(step.value.path));
  return { contents, missing: step.value };
}

test('events that are booked and gone are named, and everything else is in the backup', async () => {
  const { companyId } = await app.freshCompany();
  await app.ctx.db.insertInto('booked_batches').values({ batch: uuidv7() }).execute();
  const { contents, missing } = await backedUp();
  expect(missing).toEqual([
    expect.stringMatching(/^The backup lacks the events of 1 segment of an event log, made since 20/),
  ]);
  expect(JSON.parse(contents.get('manifest.json')!.toString())).toMatchObject({ missing });
  expect(gunzipSync(contents.get('state/companies-0001.jsonl.gz')!).toString()).toContain(companyId);
});

test('a creative that is uploaded after the files were read is in the backup with its file', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  await uploadBanner(company, appUuid);
  let uuid = '';
  const { contents } = await backedUp(async () => (uuid ||= await uploadBanner(company, appUuid)));
  const { banner_file_uuid: file } = await app.ctx.db
    .selectFrom('internal_creatives')
    .innerJoin('creatives', 'creatives.internal_creative_uuid', 'internal_creatives.uuid')
    .select('banner_file_uuid')
    .where('creatives.uuid', '=', uuid)
    .executeTakeFirstOrThrow();
  expect(gunzipSync(contents.get('state/creatives-0001.jsonl.gz')!).toString()).toContain(uuid);
  expect([...contents.keys()]).toContain(`files/${file}`);
});
