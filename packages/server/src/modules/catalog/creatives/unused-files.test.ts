import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { removeUnusedFiles } from '../../../platform/files/unused-files.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { picture } from '@bidwell/testing/files/pictures';
import { storedFiles } from '@bidwell/testing/files/stored-files';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';

const app = await testApp();
const { signal: running } = new AbortController();
const start = app.clock.now.getTime();
const atHour = (hour: number) => void (app.clock.now = new Date(start + hour * 3_600_000));

async function upload(company: TestCompany, name: string) {
  const { status, data } = await company.upload('POST', '/v2/internal_creative', {
    name,
    type: 'Banner',
    app_id: await make(company, '/app', appBody()),
    banner: { name: 'one.png', content: await picture(320, 50) },
  });
  return { status, creative: data.uuid as string, file: data.internal_creative?.banner.uuid as string };
}

test('a file that could not be removed with its creative is removed a day later; used files stay', async () => {
  const company = await app.freshCompany();
  const { files } = app.ctx;
  const [used, deleted] = [await upload(company, 'Used'), await upload(company, 'Deleted')];
  vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is away'));
  expect((await company.call('DELETE', `/creative/${deleted.creative}`)).status).toBe(200);
  await eventually(() => expect(files.remove).toHaveBeenCalledWith(deleted.file));
  atHour(23);
  await removeUnusedFiles(app.ctx, running);
  expect(await storedFiles(app)).toEqual(expect.arrayContaining([used.file, deleted.file]));
  atHour(25);
  await removeUnusedFiles(app.ctx, running);
  const left = await storedFiles(app);
  expect(left).toContain(used.file);
  expect(left).not.toContain(deleted.file);
});

test('the file of an upload that broke off before it was saved is removed a day later', async () => {
  atHour(0);
  const company = await app.freshCompany();
  const { files } = app.ctx;
  const before = await storedFiles(app);
  const write = files.write;
  // The file is stored, but the response is lost and the file cannot be removed, as when the process is killed.
  vi.spyOn(files, 'write').mockImplementationOnce(async (key, content) => {
    await write.call(files, key, content);
    throw new Error('killed');
  });
  vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('killed'));
  expect((await upload(company, 'Broken off')).status).toBe(500);
  expect((await storedFiles(app)).length).toBe(before.length + 1);
  atHour(25);
  await removeUnusedFiles(app.ctx, running);
  expect(await storedFiles(app)).toEqual(before);
});

test('the parts of an upload and of an import that waits stay, however old they are', async () => {
  atHour(0);
  const company = await app.freshCompany();
  const uuid = await make(company, '/audience', { name: 'Payers' });
  const begin = async () => {
    const { data } = await company.call('POST', `/audience/${uuid}/upload`, { bytes: 37 });
    const path = `/audience/${uuid}/upload/${data.uuid}`;
    const part = { name: 'ids', content: Buffer.from(`${randomUUID()}\n`) };
    expect((await company.upload('PUT', `${path}?offset=0`, { part })).status).toBe(200);
    return path;
  };
  const [open, waiting] = [await begin(), await begin()];
  // Holds the imports of the audience up, as an import before them does.
  const { id } = await app.ctx.db
    .insertInto('audience_imports')
    .values({
      uuid: uuidv7(),
      company_uuid: company.companyId,
      audience_uuid: uuid,
      mode: 'add',
      source: 'api',
      state: 'running',
      claimed_until: new Date(start + 400 * 3_600_000),
      created_at: new Date(start - 1000),
    })
    .returning('uuid as id')
    .executeTakeFirstOrThrow();
  expect((await company.call('POST', `${waiting}/finish`)).status).toBe(200);
  await app.ctx.db
    .updateTable('unused_files')
    .set({ since: new Date(start - 48 * 3_600_000) })
    .execute();
  await removeUnusedFiles(app.ctx, running);
  await app.ctx.db.deleteFrom('audience_imports').where('uuid', '=', id).execute();
  expect((await company.call('POST', `${open}/finish`)).status).toBe(200);
  await eventually(async () => {
    const { data } = await company.call('GET', `/audience/${uuid}`);
    expect(data).toMatchObject({ state: 'ready', size: 1, last_import: { state: 'done' } });
    for (const path of [open, waiting])
      expect((await company.call('GET', path)).data.import).toMatchObject({ state: 'done', ids: 1 });
  });
});

test('a store that does not respond holds no stop up, and the file is removed by a later run', async () => {
  atHour(0);
  const company = await app.freshCompany();
  const { files } = app.ctx;
  const deleted = await upload(company, 'Silent');
  vi.spyOn(files, 'remove').mockRejectedValueOnce(new Error('the store is away'));
  expect((await company.call('DELETE', `/creative/${deleted.creative}`)).status).toBe(200);
  await eventually(() => expect(files.remove).toHaveBeenCalledWith(deleted.file));
  atHour(25);
  const stopping = new AbortController();
  vi.spyOn(files, 'remove').mockImplementationOnce(() => {
    stopping.abort();
    return new Promise(() => {});
  });
  await expect(removeUnusedFiles(app.ctx, stopping.signal)).rejects.toMatchObject({ name: 'AbortError' });
  await removeUnusedFiles(app.ctx, running);
  expect(await storedFiles(app)).not.toContain(deleted.file);
});
