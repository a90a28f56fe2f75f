import { expect, test } from 'vitest';
import { appBody, approveApp, make } from '@bidwell/testing/advertising';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { storedFiles } from '@bidwell/testing/files/stored-files';

const MIB = 1024 ** 2;
const app = await testApp({ STORAGE_QUOTA_NEW_BYTES: String(MIB), STORAGE_QUOTA_BYTES: String(2 * MIB) });

/** A playable of about 600 KiB. */
const html = Buffer.from(
  `<!doctype html><html><body><script>mraid.open('x')</script>${'play '.repeat(123_000)}</body></html>`,
);
const upload = (company: TestCompany, appUuid: string) =>
  company.upload('POST', '/v2/internal_creative', {
    name: 'Playable',
    type: 'Playable',
    app_id: appUuid,
    playable: { name: 'p.html', content: html },
  });
const storage = async (company: TestCompany) => (await company.call('GET', '/storage')).data;

async function companyWithApp() {
  const company = await app.freshCompany();
  return { company, appUuid: await make(company, '/app', appBody()) };
}

test('files that do not fit are refused before they are stored, and the quota grows with the first approved app', async () => {
  const { company, appUuid } = await companyWithApp();
  expect(await storage(company)).toEqual({
    used_bytes: 0,
    quota_bytes: MIB,
    quota_after_approval_bytes: 2 * MIB,
  });
  expect((await upload(company, appUuid)).status).toBe(201);
  expect(await storage(company)).toMatchObject({ used_bytes: html.length });
  const stored = await storedFiles(app);
  const rejected = await upload(company, appUuid);
  expect(rejected).toMatchObject({ status: 422, errors: [{ field: 'playable' }] });
  expect(rejected.data).toBe(
    'Your company’s files have 600.7 KiB of 1 MiB, and this one does not fit. Delete creatives that you do not need, or ask the operator for more. Once one of your apps is approved, they may have 2 MiB.',
  );
  expect(await storedFiles(app)).toEqual(stored);
  await approveApp(app, appUuid);
  expect(await storage(company)).toMatchObject({ quota_bytes: 2 * MIB, quota_after_approval_bytes: null });
  expect((await upload(company, appUuid)).status).toBe(201);
  expect((await upload(company, appUuid)).status).toBe(201);
  expect((await upload(company, appUuid)).status).toBe(422);
});

test('uploads at once do not exceed the quota together', async () => {
  const { company, appUuid } = await companyWithApp();
  const responses = await Promise.all(Array.from({ length: 4 }, () => upload(company, appUuid)));
  expect(responses.map(({ status }) => status).toSorted()).toEqual([201, 422, 422, 422]);
  expect(await storage(company)).toMatchObject({ used_bytes: html.length });
});

test('a deleted creative makes room', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data } = await upload(company, appUuid);
  expect((await upload(company, appUuid)).status).toBe(422);
  expect((await company.call('DELETE', `/creative/${data.uuid}`)).status).toBe(200);
  expect(await storage(company)).toMatchObject({ used_bytes: 0 });
  expect((await upload(company, appUuid)).status).toBe(201);
});

test('an operator changes the quota of a company, which their log has', async () => {
  const { company, appUuid } = await companyWithApp();
  const path = `/companies/${company.companyId}`;
  await upload(company, appUuid);
  expect((await app.operator('GET', path)).data).toMatchObject({
    storage: { used_bytes: html.length, quota_bytes: MIB },
    storage_quota_bytes: null,
  });
  const changed = await app.operator('PATCH', path, { storage_quota_bytes: 10 * MIB });
  expect(changed.data).toMatchObject({
    storage: { quota_bytes: 10 * MIB, quota_after_approval_bytes: null },
    storage_quota_bytes: 10 * MIB,
  });
  expect((await upload(company, appUuid)).status).toBe(201);
  const { acts } = (await app.operator('GET', `/acts?company_uuid=${company.companyId}`)).data;
  expect(acts[0]).toMatchObject({
    before: { storage_quota_bytes: null },
    after: { storage_quota_bytes: 10 * MIB },
  });
  await app.operator('PATCH', path, { storage_quota_bytes: 0 });
  expect((await upload(company, appUuid)).status).toBe(422);
  expect((await app.operator('PATCH', path, { storage_quota_bytes: null })).data.storage.quota_bytes).toBe(
    MIB,
  );
  expect((await app.operator('PATCH', path, { storage_quota_bytes: -1 })).status).toBe(422);
});
