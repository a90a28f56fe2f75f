import { beforeAll, expect, test } from 'vitest';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { storedFiles } from '@bidwell/testing/files/stored-files';
import { video } from '@bidwell/testing/files/videos';
import { exhaustive } from '@bidwell/testing/whole-run';

const app = await testApp({ LOG_LEVEL: 'silent' });

let clip: Buffer;
let card: Buffer;
beforeAll(async () => {
  clip = await video(640, 360);
  card = await picture(640, 360, 'jpeg');
});

async function companyWithApp() {
  const company = await app.freshCompany();
  return { company, appUuid: await make(company, '/app', appBody()) };
}

type Parts = Parameters<TestCompany['upload']>[2];
const file = (content: Buffer, name = 'file') => ({ name, content });
const form = (appUuid: string, over: Parts = {}): Parts => ({
  video: file(clip, 'clip.mp4'),
  banner: file(card, 'card.jpg'),
  name: 'Trailer',
  type: 'Video',
  app_id: appUuid,
  ...over,
});
const upload = (company: TestCompany, parts: Parts) => company.upload('POST', '/v2/internal_creative', parts);
const without = (parts: Parts, ...names: string[]): Parts =>
  Object.fromEntries(Object.entries(parts).filter(([name]) => !names.includes(name)));

const notAVideo = 'The file is not a complete video. Allowed: .mp4, .mov';

test('a video is uploaded with its end card, the files before the fields', async () => {
  const { company, appUuid } = await companyWithApp();
  const { status, data } = await upload(company, form(appUuid));
  expect(status).toBe(201);
  const asset = data.internal_creative;
  expect(asset).toMatchObject({
    type: 'Video',
    width: 640,
    height: 360,
    duration_ms: 15_000,
    video_extension: 'mp4',
    banner_extension: 'jpg',
    video: { uuid: asset.video_id, size_bytes: clip.length },
    banner: { uuid: asset.banner_id, size_bytes: card.length },
    playable: null,
    thumbnail: `/api/internal/file/${asset.banner_id}?size=thumb`,
    external_loads: [],
  });
  expect(await storedFiles(app)).toEqual(expect.arrayContaining([asset.video_id, asset.banner_id]));
  await app.operator('POST', `/creatives/${data.uuid}/decision`, { status: 'Approved' });
  const headers = { range: 'bytes=4-7' };
  const part = await app.http.inject({ url: `/m/${asset.video_id}.mp4`, headers });
  expect([part.statusCode, part.body, part.headers['content-type']]).toEqual([206, 'ftyp', 'video/mp4']);
  const small = await company.call('GET', `/file/${asset.video_id}?size=thumb`);
  expect(small).toMatchObject({ status: 404, data: 'File not found' });
});

test('the type of a video is detected from its content, with its displayed size', async () => {
  const { company, appUuid } = await companyWithApp();
  const upright = file(await video(640, 360, { rotation: 90, container: 'mov', seconds: 6.5 }), 'clip.mp4');
  expect((await upload(company, form(appUuid, { video: upright }))).data.internal_creative).toMatchObject({
    width: 360,
    height: 640,
    duration_ms: 6500,
    video_extension: 'mov',
  });
  for (const fastStart of ['fragmented', false] as const) {
    const parts = form(appUuid, { video: file(await video(640, 360, { fastStart })) });
    expect((await upload(company, parts)).data.internal_creative).toMatchObject({
      width: 640,
      duration_ms: 15_000,
    });
  }
});

test('an incomplete video is rejected, and no part of it is stored', async () => {
  const { company, appUuid } = await companyWithApp();
  const before = await storedFiles(app);
  const lateIndex = await video(640, 360, { fastStart: false });
  const contents = [
    clip.subarray(0, clip.length - 1),
    clip.subarray(0, clip.length / 2),
    clip.subarray(0, 40),
    lateIndex.subarray(0, lateIndex.length - 40),
    Buffer.concat([clip, Buffer.from('\0')]),
    Buffer.from('....ftypisom'),
    card,
    Buffer.from('<!doctype html>'),
  ];
  for (const content of contents) {
    const response = await upload(company, form(appUuid, { video: file(content, 'clip.mp4') }));
    expect(response).toMatchObject({ status: 422, errors: [{ field: 'video', message: notAVideo }] });
  }
  expect(await storedFiles(app)).toEqual(before);
});

exhaustive('a video made to be parsed for ever is cancelled, and delays no others', async () => {
  const { company, appUuid } = await companyWithApp();
  const endless = Buffer.from(clip);
  // Samples per chunk, in the first entry of `stsc`.
  endless.writeUInt32BE(0x7f_ff_ff_ff, endless.indexOf('stsc') + 16);
  const uploading = upload(company, form(appUuid, { video: file(endless) }));
  const others = company.call('GET', '/app').then(() => 'others');
  expect(await Promise.race([uploading, others])).toBe('others');
  expect((await uploading).errors).toEqual([{ field: 'video', message: notAVideo }]);
});

test('a video that is square, too small or too long is rejected', async () => {
  const { company, appUuid } = await companyWithApp();
  const errorOf = async (content: Buffer) =>
    (await upload(company, form(appUuid, { video: file(content) }))).errors;
  const size = (of: string) =>
    `The uploaded video is ${of} px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.`;
  expect(await errorOf(await video(480, 480))).toEqual([{ field: 'video', message: size('480x480') }]);
  expect(await errorOf(await video(98, 640))).toEqual([{ field: 'video', message: size('98x640') }]);
  const length = 'A video lasts 1 to 120 seconds';
  expect(await errorOf(await video(640, 360, { seconds: 121 }))).toEqual([
    { field: 'video', message: length },
  ]);
  expect(await errorOf(await video(640, 360, { seconds: 0.5 }))).toEqual([
    { field: 'video', message: length },
  ]);
});

test('an end card must be an image and not square', async () => {
  const { company, appUuid } = await companyWithApp();
  const before = await storedFiles(app);
  const errorOf = async (content: Buffer) =>
    (await upload(company, form(appUuid, { banner: file(content, 'card.png') }))).errors;
  expect(await errorOf(await picture(300, 300))).toEqual([
    { field: 'banner', message: expect.stringMatching(/^The uploaded creative is 300×300 px/) },
  ]);
  const wrongType = 'Invalid file type. Allowed: .jpeg, .jpg, .png';
  for (const content of [await picture(640, 360, 'gif'), clip])
    expect(await errorOf(content)).toEqual([{ field: 'banner', message: wrongType }]);
  expect(await errorOf(card.subarray(0, card.length - 20))).toMatchObject([
    { message: expect.stringMatching(/^The image is damaged or incomplete/) },
  ]);
  expect(await storedFiles(app)).toEqual(before);
});

test('an upload of a video names missing and surplus files', async () => {
  const { company, appUuid } = await companyWithApp();
  const all = form(appUuid);
  const noVideo = { field: 'video', message: 'Video is required' };
  const noBanner = { field: 'banner', message: 'required' };
  expect((await upload(company, without(all, 'video'))).errors).toEqual([noVideo]);
  expect((await upload(company, without(all, 'banner'))).errors).toEqual([noBanner]);
  expect((await upload(company, without(all, 'banner', 'video'))).errors).toEqual([noVideo, noBanner]);
  expect((await upload(company, form(appUuid, { video: file(Buffer.alloc(0)) }))).errors).toEqual([noVideo]);
  const message = 'Send one file as video and one as banner';
  expect((await upload(company, form(appUuid, { playable: file(card) }))).errors).toEqual([
    { field: 'playable', message },
  ]);
});

test('if one of two files cannot be stored, neither is', async () => {
  const { company, appUuid } = await companyWithApp();
  const before = await storedFiles(app);
  const { write } = app.ctx.files;
  let writes = 0;
  app.ctx.files.write = async (...args) => {
    writes += 1;
    if (writes === 2) throw new Error('disk full');
    return write(...args);
  };
  try {
    expect((await upload(company, form(appUuid))).status).toBe(500);
  } finally {
    app.ctx.files.write = write;
  }
  expect(writes).toBe(2);
  expect(await storedFiles(app)).toEqual(before);
});

test('concurrent uploads create at most twenty videos of an app', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data } = await upload(company, form(appUuid));
  const { db } = app.ctx;
  const at = { created_at: new Date(), updated_at: new Date() };
  for (let count = 1; count < 18; count += 1) {
    const owned = { company_uuid: company.companyId, ...at };
    const uuids = [crypto.randomUUID(), crypto.randomUUID()] as const;
    const texts = { name: 'Trailer', description: '', sponsor: '', title: '' };
    await db
      .insertInto('internal_creatives')
      .values({ uuid: uuids[0], type: 'Video', ...texts, ...owned })
      .execute();
    await db
      .insertInto('creatives')
      .values({
        uuid: uuids[1],
        app_uuid: appUuid,
        internal_creative_uuid: uuids[0],
        status: 'Approved',
        ...owned,
      })
      .execute();
  }
  const before = (await storedFiles(app)).length;
  const responses = await Promise.all(Array.from({ length: 5 }, () => upload(company, form(appUuid))));
  expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 422, 422, 422]);
  const message = 'Creative limit reached. Up to 20 Videos per creative type. Current: 20.';
  for (const { status, errors } of responses)
    if (status === 422) expect(errors).toEqual([{ field: 'video', message }]);
  expect((await storedFiles(app)).length).toBe(before + 4);
  expect(data.internal_creative.type).toBe('Video');
  const elsewhere = await make(company, '/app', appBody());
  expect((await upload(company, form(elsewhere))).status).toBe(201);
});

test('a new end card replaces the old one once it is approved', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid));
  await app.operator('POST', `/creatives/${made.uuid}/decision`, { status: 'Approved' });
  const old = made.internal_creative.banner_id;
  await company.call('GET', `/file/${old}?size=thumb`);
  const content = await picture(360, 640);
  const path = `/internal_creative/${made.internal_creative.uuid}`;
  const response = await company.upload('PUT', path, { banner: file(content), name: 'Trailer two' });
  expect(response).toMatchObject({
    status: 200,
    data: { status: 'Moderation', internal_creative: { name: 'Trailer two', banner_extension: 'png' } },
  });
  const { banner_id: replaced, video_id: videoId, width } = response.data.internal_creative;
  expect(replaced).not.toBe(old);
  expect([videoId, width]).toEqual([made.internal_creative.video_id, 640]);
  expect((await company.call('GET', `/file/${replaced}.png`)).status).toBe(200);
  expect(response.data.approved_version.banner_id).toBe(old);
  const isPublic = async (uuid: string) => (await app.http.inject({ url: `/m/${uuid}` })).statusCode === 200;
  expect([await isPublic(old), await isPublic(replaced)]).toEqual([true, false]);
  await app.operator('POST', `/creatives/${made.uuid}/decision`, { status: 'Approved' });
  expect((await company.call('GET', `/file/${old}`)).status).toBe(404);
  const left = async () => (await storedFiles(app)).filter((name) => name.startsWith(old));
  await expect.poll(left).toEqual([]);
  const changes = await changesOf(app, company, made.uuid);
  expect(changes.at(-2)).toMatchObject({ action: 'update' });
  expect(changes.at(-2)!.fields).toContainEqual({ field: 'end_card', before: old, after: replaced });
});

test('a company without room changes texts by a form, and replaces an end card by one that is no larger', async () => {
  const { company, appUuid } = await companyWithApp();
  const large = await picture(640, 360);
  const { data: made } = await upload(company, form(appUuid, { banner: file(large) }));
  const setQuota = async (bytes: number) =>
    app.operator('PATCH', `/companies/${company.companyId}`, { storage_quota_bytes: bytes });
  await setQuota(0);
  const put = async (parts: Parts) =>
    company.upload('PUT', `/internal_creative/${made.internal_creative.uuid}`, parts);
  expect(await put({ name: 'Renamed' })).toMatchObject({
    status: 200,
    data: { internal_creative: { name: 'Renamed' } },
  });
  const small = await picture(360, 640, 'jpeg');
  expect(small.length).toBeLessThan(large.length);
  expect((await put({ banner: file(small) })).status).toBe(200);
  expect(await put({ banner: file(large) })).toMatchObject({ status: 422, errors: [{ field: 'banner' }] });
  await setQuota(clip.length + large.length);
  expect((await put({ banner: file(large) })).status).toBe(200);
  // The approved one stays until the new one is approved.
  await app.operator('POST', `/creatives/${made.uuid}/decision`, { status: 'Approved' });
  expect(await put({ banner: file(small) })).toMatchObject({ status: 422, errors: [{ field: 'banner' }] });
});

test('end cards at once do not exceed the storage together', async () => {
  const { company, appUuid } = await companyWithApp();
  const made = await Promise.all([1, 2].map(async () => (await upload(company, form(appUuid))).data));
  for (const { uuid } of made)
    await app.operator('POST', `/creatives/${uuid}/decision`, { status: 'Approved' });
  const large = await picture(640, 360);
  const { used_bytes: used } = (await company.call('GET', '/storage')).data;
  await app.operator('PATCH', `/companies/${company.companyId}`, {
    storage_quota_bytes: used + large.length,
  });
  const responses = await Promise.all(
    made.map(async ({ internal_creative: asset }) =>
      company.upload('PUT', `/internal_creative/${asset.uuid}`, { banner: file(large) }),
    ),
  );
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 422]);
});

test('a rejected end card leaves the old one', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid));
  const banner = file(await picture(320, 50));
  const { data: still } = await upload(company, {
    ...without(form(appUuid), 'video'),
    type: 'Banner',
    banner,
  });
  const before = await storedFiles(app);
  const path = `/internal_creative/${made.internal_creative.uuid}`;
  const errorsOf = async (to: string, parts: Parts) => (await company.upload('PUT', to, parts)).errors;
  expect(await errorsOf(path, { banner: file(await picture(300, 300)) })).toMatchObject([
    { field: 'banner' },
  ]);
  expect(await errorsOf(path, { video: file(clip) })).toMatchObject([{ field: 'video' }]);
  expect(await errorsOf(path, { banner: file(Buffer.alloc(0)) })).toMatchObject([{ field: 'banner' }]);
  expect(await errorsOf(path, { banner, name: 'x'.repeat(51) })).toMatchObject([{ field: 'name' }]);
  expect(await errorsOf(`/internal_creative/${still.internal_creative.uuid}`, { banner })).toEqual([
    { field: 'banner', message: 'Only the end card of a video can be replaced' },
  ]);
  const other = await app.freshCompany();
  expect((await other.upload('PUT', path, { banner: file(card) })).status).toBe(404);
  expect(await storedFiles(app)).toEqual(before);
  const { data } = await company.call('GET', '/internal_creative');
  expect(data.internal_creatives).toContainEqual(made);
});

test('text fields can be sent as a form without a file', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid));
  const path = `/internal_creative/${made.internal_creative.uuid}`;
  expect((await company.upload('PUT', path, { description: 'Spring' })).data.internal_creative).toMatchObject(
    {
      name: 'Trailer',
      description: 'Spring',
    },
  );
});
