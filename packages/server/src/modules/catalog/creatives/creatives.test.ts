import { messages } from '@bidwell/contract/text/messages';
import { trackingLinkMessages } from '@bidwell/contract/tracking-links/messages';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { appBody, changesOf, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { storedFiles } from '@bidwell/testing/files/stored-files';
import fc from 'fast-check';
import { video } from '@bidwell/testing/files/videos';
import { runs } from '@bidwell/testing/whole-run';

const app = await testApp({ LOG_LEVEL: 'silent' });

const html = Buffer.from(
  `<!doctype html><html><body><script>mraid.open('x')</script>${'play '.repeat(400)}</body></html>`,
);

async function companyWithApp() {
  const company = await app.freshCompany();
  return { company, appUuid: await make(company, '/app', appBody()) };
}

type Parts = Parameters<TestCompany['upload']>[2];
const form = (appUuid: string, over: Parts = {}): Parts => ({
  name: 'Leaderboard',
  type: 'Banner',
  app_id: appUuid,
  ...over,
});
const upload = (company: TestCompany, parts: Parts) => company.upload('POST', '/v2/internal_creative', parts);
const file = (content: Buffer, name = 'b.png') => ({ name, content });

test('a banner is uploaded, listed and logged', async () => {
  const { company, appUuid } = await companyWithApp();
  const response = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  expect(response).toMatchObject({
    status: 201,
    data: {
      status: 'Moderation',
      app: { uuid: appUuid },
      click_url: null,
      internal_creative: {
        name: 'Leaderboard',
        type: 'Banner',
        width: 320,
        height: 50,
        banner_extension: 'png',
        video_id: null,
        html: null,
      },
    },
  });
  const { banner_id: bannerId, banner } = response.data.internal_creative;
  expect(banner).toMatchObject({ uuid: bannerId, url: `/api/internal/file/${bannerId}.png` });
  const { data } = await company.call('GET', '/internal_creative');
  expect(data.internal_creatives).toEqual([response.data]);
  expect(await changesOf(app, company, response.data.uuid)).toMatchObject([
    { action: 'create', entity_type: 'creative', entity_name: 'Leaderboard' },
  ]);
  expect(await storedFiles(app)).toContain(bannerId);
});

test('the type of a file is detected from its content, not its name', async () => {
  const { company, appUuid } = await companyWithApp();
  const jpeg = file(await picture(300, 250, 'jpeg'), 'really.png');
  const { data } = await upload(company, form(appUuid, { banner: jpeg }));
  expect(data.internal_creative).toMatchObject({ banner_extension: 'jpg', width: 300, height: 250 });
});

test('a banner of another size is rejected with its measured size', async () => {
  const { company, appUuid } = await companyWithApp();
  const message =
    'The uploaded creative is 321×50 px, which isn’t supported for this placement. Check the allowed sizes in tooltip and upload a file that matches one of them.';
  const banner = file(await picture(321, 50));
  const response = await upload(company, form(appUuid, { banner }));
  expect(response).toMatchObject({ status: 422, data: message, errors: [{ field: 'banner', message }] });
  // Sizes of native images are not valid for banners, and vice versa.
  expect((await upload(company, form(appUuid, { banner: file(await picture(627, 627)) }))).status).toBe(422);
  const native = form(appUuid, { type: 'Native', banner: file(await picture(320, 50)) });
  expect((await upload(company, native)).status).toBe(422);
});

test('an image of an unsupported format is rejected, and no part of it is stored', async () => {
  const { company, appUuid } = await companyWithApp();
  const before = await storedFiles(app);
  const whole = await picture(320, 50, 'jpeg');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="50"><rect width="9" height="9"/></svg>';
  const wrongType = 'Invalid file type. Allowed: .jpeg, .jpg, .png';
  const damaged = 'The image is damaged or incomplete. Export it again and upload the new file';
  const vast = sharp({ create: { width: 5000, height: 4001, channels: 3, background: '#fff' } });
  const rejections: [Buffer, string][] = [
    [whole.subarray(0, whole.length - 60), damaged],
    [(await picture(320, 50)).subarray(0, 120), damaged],
    [Buffer.from(svg), wrongType],
    [await picture(320, 50, 'gif'), wrongType],
    [await picture(320, 50, 'webp'), wrongType],
    [html, wrongType],
    [await vast.png().toBuffer(), 'The image is too large. Allowed: 20 megapixels'],
  ];
  for (const [content, message] of rejections) {
    const response = await upload(company, form(appUuid, { banner: file(content) }));
    expect(response).toMatchObject({ status: 422, data: message, errors: [{ field: 'banner', message }] });
  }
  expect(await storedFiles(app)).toEqual(before);
  expect((await company.call('GET', '/internal_creative')).data.internal_creatives).toEqual([]);
});

test('a native image may be animated, and has its own sizes', async () => {
  const { company, appUuid } = await companyWithApp();
  const parts = form(appUuid, {
    type: 'Native',
    title: 'Play',
    sponsor: 'Us',
    banner: file(await picture(80, 80, 'gif')),
  });
  expect((await upload(company, parts)).data.internal_creative).toMatchObject({
    type: 'Native',
    title: 'Play',
    sponsor: 'Us',
    banner_extension: 'gif',
  });
});

test('the description of a native creative has at most 90 characters, in every call', async () => {
  const { company, appUuid } = await companyWithApp();
  const rejected = {
    status: 422,
    data: 'At most 90 characters',
    errors: [{ field: 'description', message: 'At most 90 characters' }],
  };
  const native = async (description: string) =>
    upload(company, form(appUuid, { type: 'Native', description, banner: file(await picture(80, 80)) }));
  expect(await native('d'.repeat(91))).toMatchObject(rejected);
  const { status, data } = await native('d'.repeat(90));
  expect([status, data.internal_creative.description]).toEqual([201, 'd'.repeat(90)]);
  const paths = [`/creative/${data.uuid}`, `/internal_creative/${data.internal_creative.uuid}`];
  for (const path of paths) {
    expect(await company.call('PUT', path, { description: 'e'.repeat(91) })).toMatchObject(rejected);
    expect((await company.call('PUT', path, { description: 'e'.repeat(90) })).status).toBe(200);
  }
});

const notAPage = 'The file cannot be read as a page. Allowed: one .html file in UTF-8';

test('a playable must be an HTML page', async () => {
  const { company, appUuid } = await companyWithApp();
  const parts = form(appUuid, { type: 'Playable', playable: file(html, 'game.html') });
  const { status, data } = await upload(company, parts);
  expect(status).toBe(201);
  const { playable, html: address, width } = data.internal_creative;
  expect(address).toBe(playable.url);
  expect(width).toBeNull();
  const png = form(appUuid, { type: 'Playable', playable: file(await picture(320, 50), 'game.html') });
  expect((await upload(company, png)).errors).toEqual([{ field: 'playable', message: notAPage }]);
});

test('a playable lists its exits to the store, and without one is refused', async () => {
  const { company, appUuid } = await companyWithApp();
  const playable = (code: string) =>
    upload(
      company,
      form(appUuid, {
        type: 'Playable',
        playable: file(Buffer.from(`<html><script>${code}</script></html>`), 'game.html'),
      }),
    );
  const { status, data } = await playable('ExitApi.exit(); mraid.open(clickTag)');
  expect([status, data.internal_creative.exits]).toEqual([201, ['mraid.open', 'ExitApi.exit', 'clickTag']]);
  expect((await company.call('GET', '/internal_creative')).data.internal_creatives).toEqual([data]);
  const before = await storedFiles(app);
  expect(await playable('play()')).toMatchObject({
    status: 422,
    errors: [{ field: 'playable', message: expect.stringMatching(/^The page has no exit to the store/) }],
  });
  expect(await storedFiles(app)).toEqual(before);
});

test('a playable lists its external resources', async () => {
  const { company, appUuid } = await companyWithApp();
  const page =
    '<html onclick="mraid.open()"><script src="mraid.js"></script><img src="https://cdn.example/\u{1F3AE}.png"></html>';
  const parts = form(appUuid, { type: 'Playable', playable: file(Buffer.from(page), 'game.html') });
  const { data } = await upload(company, parts);
  expect(data.internal_creative.external_loads).toEqual(['https://cdn.example/\u{1F3AE}.png']);
  const latin1 = form(appUuid, {
    type: 'Playable',
    playable: file(Buffer.from('<html>Café</html>', 'latin1')),
  });
  expect((await upload(company, latin1)).errors).toEqual([{ field: 'playable', message: notAPage }]);
});

test('an upload names its invalid fields', async () => {
  const { company, appUuid } = await companyWithApp();
  const banner = file(await picture(320, 50));
  const errorsOf = async (parts: Parts) => (await upload(company, parts)).errors;
  expect(await errorsOf(form(appUuid, { name: 'x'.repeat(51), banner }))).toEqual([
    { field: 'name', message: 'Title cannot exceed 50 characters' },
  ]);
  expect(await errorsOf(form(appUuid, { name: ' ', banner }))).toEqual([
    { field: 'name', message: 'Required' },
  ]);
  expect(await errorsOf(form(appUuid, { description: 'x'.repeat(201), banner }))).toEqual([
    { field: 'description', message: 'Description cannot exceed 200 characters' },
  ]);
  expect(await errorsOf(form(appUuid, { type: 'Poster', banner }))).toEqual([
    { field: 'type', message: 'Required' },
  ]);
  expect(await errorsOf(form(appUuid))).toEqual([{ field: 'banner', message: 'Required' }]);
  expect(await errorsOf(form(appUuid, { banner: file(Buffer.alloc(0)) }))).toEqual([
    { field: 'banner', message: 'Required' },
  ]);
  expect(await errorsOf(form(appUuid, { banner, playable: file(html) }))).toEqual([
    { field: 'playable', message: 'Send one file, as banner' },
  ]);
  expect(await errorsOf(form(appUuid, { poster: banner }))).toEqual([
    { field: 'poster', message: 'Send one file, as banner' },
  ]);
});

test("an upload to another company's app is not found", async () => {
  const { appUuid } = await companyWithApp();
  const other = await app.freshCompany();
  const before = await storedFiles(app);
  const response = await upload(other, form(appUuid, { banner: file(await picture(320, 50)) }));
  expect(response).toMatchObject({ status: 422, errors: [{ field: 'app_id', message: 'App not found' }] });
  expect(await storedFiles(app)).toEqual(before);
});

test('a JPEG with the scan parameters that some cameras write is accepted, and has a thumbnail', async () => {
  const { company, appUuid } = await companyWithApp();
  const image = await picture(320, 50, 'jpeg');
  // The end of the spectral selection of the scan: 63 in a file by the standard.
  image.writeUInt8(0, image.indexOf(Buffer.from([0xff, 0xda])) + 12);
  const { status, data } = await upload(company, form(appUuid, { banner: file(image, 'scan.jpg') }));
  expect([status, data.internal_creative?.banner_extension]).toEqual([201, 'jpg']);
  const headers = { authorization: `Bearer ${company.token}` };
  const small = await app.http.inject({ url: data.internal_creative.thumbnail, headers });
  expect([small.statusCode, small.headers['content-type']]).toEqual([200, 'image/webp']);
  const avatar = file(image, 'me.jpg');
  const profile = { email: 'a@example.com', first_name: 'A', last_name: 'B', contact: 'c', avatar };
  expect((await company.upload('PUT', `/users/${company.userId}`, profile)).status).toBe(200);
});

test('a file above its limit is too large', async () => {
  const { company, appUuid } = await companyWithApp();
  const before = await storedFiles(app);
  const huge = file(Buffer.alloc(5 * 1024 * 1024 + 1), 'huge.png');
  const response = await upload(company, form(appUuid, { banner: huge }));
  expect(response).toMatchObject({ status: 413, data: '"huge.png" is larger than 5 MB' });
  expect(await storedFiles(app)).toEqual(before);
});

test('an upload must be a multipart form', async () => {
  const { company, appUuid } = await companyWithApp();
  expect((await company.call('POST', '/v2/internal_creative', form(appUuid))).status).toBe(415);
});

test('a photo has its displayed size', async () => {
  const { company, appUuid } = await companyWithApp();
  const lying = await sharp(await picture(50, 320))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  const { data } = await upload(company, form(appUuid, { banner: file(lying) }));
  expect(data.internal_creative).toMatchObject({ width: 320, height: 50 });
});

test('a repeated upload with the same key creates one creative', async () => {
  const { company, appUuid } = await companyWithApp();
  const body = new FormData();
  const texts = { name: 'Once', type: 'Banner', app_id: appUuid };
  for (const [name, value] of Object.entries(texts)) body.append(name, value);
  body.append('banner', new Blob([new Uint8Array(await picture(320, 50))]), 'b.png');
  const request = new Request('http://bidwell.test', { method: 'POST', body });
  const headers = {
    authorization: `Bearer ${company.token}`,
    'content-type': request.headers.get('content-type')!,
    'idempotency-key': 'one',
  };
  const payload = Buffer.from(await request.arrayBuffer());
  const url = '/api/internal/v2/internal_creative';
  const send = async () => app.http.inject({ method: 'POST', url, headers, payload });
  const [first, second] = [await send(), await send()];
  expect([first.statusCode, second.statusCode]).toEqual([201, 201]);
  expect(second.json()).toEqual(first.json());
  expect((await company.call('GET', '/internal_creative')).data.internal_creatives).toHaveLength(1);
});

test('the twenty-first banner of an app is rejected', async () => {
  const { company, appUuid } = await companyWithApp();
  const banner = file(await picture(320, 50));
  for (let count = 0; count < 20; count += 1) {
    expect((await upload(company, form(appUuid, { banner }))).status).toBe(201);
  }
  const before = await storedFiles(app);
  const message = 'Creative limit reached. Up to 20 Banners per creative type. Current: 20.';
  expect((await upload(company, form(appUuid, { banner }))).errors).toEqual([{ field: 'banner', message }]);
  expect(await storedFiles(app)).toEqual(before);
  const playable = form(appUuid, { type: 'Playable', playable: file(html) });
  expect((await upload(company, playable)).status).toBe(201);
});

test('if the file cannot be stored, the creative is not stored either', async () => {
  const { company, appUuid } = await companyWithApp();
  const { write } = app.ctx.files;
  const before = await storedFiles(app);
  app.ctx.files.write = async () => {
    throw new Error('disk full: /secret/path');
  };
  try {
    const response = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
    expect(response.status).toBe(500);
    expect(response.data).not.toContain('secret');
  } finally {
    app.ctx.files.write = write;
  }
  expect(await storedFiles(app)).toEqual(before);
  expect((await company.call('GET', '/internal_creative')).data.internal_creatives).toEqual([]);
});

test('the addresses of a creative can be set', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  const body = {
    internal_creative_uuid: made.internal_creative.uuid,
    click_url: 'https://example.com/c?id={click_id}',
    view_url: 'https://example.com/v',
  };
  const response = await company.call('POST', '/creative', body);
  expect(response).toMatchObject({ status: 201, data: { uuid: made.uuid, click_url: body.click_url } });
  const faulty = { ...body, click_url: 'javascript:1', view_url: 'example' };
  expect(await company.call('POST', '/creative', faulty)).toMatchObject({
    status: 422,
    errors: ['click_url', 'view_url'].map((field) => ({ field, message: messages.httpUrl })),
  });

  const other = await app.freshCompany();
  expect(await other.call('POST', '/creative', body)).toMatchObject({
    status: 422,
    errors: [{ field: 'internal_creative_uuid', message: 'Creative not found' }],
  });
});

test('a creative is given both addresses, and they can be removed again', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  const internal_creative_uuid = made.internal_creative.uuid;
  const none = { click_url: null, view_url: null };
  expect(made).toMatchObject(none);
  const put = (body: object) => company.call('PUT', `/creative/${made.uuid}`, body);
  for (const without of [{}, none, { click_url: '', view_url: ' ' }])
    expect(await company.call('POST', '/creative', { internal_creative_uuid, ...without })).toMatchObject({
      status: 422,
      errors: ['click_url', 'view_url'].map((field) => ({ field, message: 'Required' })),
    });
  const click_url = 'https://example.com/c?id={click_id}';
  expect(await put({ click_url })).toMatchObject({ status: 200, data: { click_url, view_url: null } });
  expect(await put({ name: 'Named otherwise' })).toMatchObject({ data: { click_url } });
  expect(await put({ click_url: '', view_url: null })).toMatchObject({ status: 200, data: none });
  expect(await put({ click_url: 'example' })).toMatchObject({
    status: 422,
    errors: [{ field: 'click_url', message: messages.httpUrl }],
  });
  const cleared = (await changesOf(app, company, made.uuid)).map(({ fields }) => fields);
  expect(cleared).toContainEqual([{ field: 'click_url', before: click_url, after: null }]);
});

test.each([
  ['https://example.com/c', 'Add {click_id} where your measurement partner'],
  ['https://example.com/c?id=%7Bclick_id%7D', 'Write {click_id} in place of %7Bclick_id%7D'],
  ['https://app.appsflyer.com/com.example?af_sub1={click_id}', 'Add clickid={click_id}: AppsFlyer'],
])(
  'a click address of a creative by which no click id comes back is refused: %s',
  async (click_url, message) => {
    const { company, appUuid } = await companyWithApp();
    const { data: made } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
    const body = { internal_creative_uuid: made.internal_creative.uuid, view_url: 'https://example.com/v' };
    for (const response of [
      await company.call('POST', '/creative', { ...body, click_url }),
      await company.call('PUT', `/creative/${made.uuid}`, { click_url }),
    ])
      expect(response).toMatchObject({
        status: 422,
        errors: [{ field: 'click_url', message: expect.stringContaining(message) }],
      });
  },
);

test('an address of a creative that contains the postback secret is refused', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data: made } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  const { postback_secret: secret } = await app.ctx.db
    .selectFrom('companies')
    .select('postback_secret')
    .where('uuid', '=', company.companyId)
    .executeTakeFirstOrThrow();
  const view_url = `https://example.com/v?secret=${secret}`;
  expect(await company.call('PUT', `/creative/${made.uuid}`, { view_url })).toMatchObject({
    status: 422,
    errors: [{ field: 'view_url', message: trackingLinkMessages.linkContainsSecret }],
  });
});

async function approved(company: TestCompany, appUuid: string) {
  const { data } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  const addresses = { click_url: 'https://example.com/c?id={click_id}', view_url: 'https://example.com/v' };
  await company.call('PUT', `/creative/${data.uuid}`, addresses);
  await app.operator('POST', `/creatives/${data.uuid}/decision`, { status: 'Approved' });
  return { uuid: data.uuid as string, assetUuid: data.internal_creative.uuid as string };
}

test('a changed creative returns to moderation', async () => {
  const { company, appUuid } = await companyWithApp();
  const edits: ((made: { uuid: string; assetUuid: string }) => [string, object])[] = [
    ({ uuid }) => [`/creative/${uuid}`, { click_url: 'https://example.com/else?id={click_id}' }],
    ({ uuid }) => [`/creative/${uuid}`, { view_url: 'https://example.com/other' }],
    ({ assetUuid }) => [`/internal_creative/${assetUuid}`, { sponsor: 'Someone' }],
  ];
  for (const edit of edits) {
    const made = await approved(company, appUuid);
    const [path, body] = edit(made);
    expect(await company.call('PUT', path, body)).toMatchObject({
      status: 200,
      data: { status: 'Moderation' },
    });
  }
});

test('labels are stored without a review, once each, and a creative has ten at most', async () => {
  const { company, appUuid } = await companyWithApp();
  const { uuid } = await approved(company, appUuid);
  const labels = ['Summer', 'Video first', 'Summer', ' Summer '];
  const { status, data } = await company.call('PUT', `/creative/${uuid}`, { labels });
  expect(status).toBe(200);
  expect(data).toMatchObject({ labels: ['Summer', 'Video first'], status: 'Approved' });
  const eleven = Array.from({ length: 11 }, (_, index) => `Label ${index}`);
  expect((await company.call('PUT', `/creative/${uuid}`, { labels: eleven })).status).toBe(422);
  const { data: list } = await company.call('GET', '/internal_creative');
  expect(JSON.stringify(list)).toContain('Video first');
});

test('saving without changes keeps the approval, and absent fields keep their value', async () => {
  const { company, appUuid } = await companyWithApp();
  const { uuid, assetUuid } = await approved(company, appUuid);
  await company.call('PUT', `/internal_creative/${assetUuid}`, { description: 'For the spring' });
  const same = { name: 'Leaderboard', click_url: 'https://example.com/c?id={click_id}' };
  expect(await company.call('PUT', `/creative/${uuid}`, same)).toMatchObject({
    data: {
      status: 'Approved',
      view_url: 'https://example.com/v',
      internal_creative: { name: 'Leaderboard', description: 'For the spring' },
    },
  });
});

test('creatives, assets and files of other companies are not found', async () => {
  const { company, appUuid } = await companyWithApp();
  const { data } = await upload(company, form(appUuid, { banner: file(await picture(320, 50)) }));
  const other = await app.freshCompany();
  const { uuid, internal_creative: asset } = data;
  for (const [method, path] of [
    ['PUT', `/creative/${uuid}`],
    ['PUT', `/internal_creative/${asset.uuid}`],
    ['GET', `/file/${asset.banner_id}`],
    ['GET', `/file/${asset.banner_id}.png`],
  ] as const) {
    const response = await other.call(method, path, method === 'PUT' ? { name: 'Mine' } : undefined);
    expect([path, response.status]).toEqual([path, 404]);
  }
  expect((await other.call('GET', '/internal_creative')).data.internal_creatives).toEqual([]);
});

test('the slow uploads of one company leave room for other companies, and its next one waits', async () => {
  const { company, appUuid } = await companyWithApp();
  const banner = await picture(320, 50);
  /** An upload of which the last byte is missing until the returned function is called. */
  const slowUpload = async () => {
    const data = new FormData();
    for (const [name, text] of Object.entries(form(appUuid))) data.append(name, text as string);
    data.append('banner', new Blob([new Uint8Array(banner)]), 'b.png');
    const request = new Request('http://bidwell.test', { method: 'POST', body: data });
    const bytes = Buffer.from(await request.arrayBuffer());
    const payload = new PassThrough();
    payload.write(bytes.subarray(0, -1));
    const response = app.http.inject({
      method: 'POST',
      url: '/api/internal/v2/internal_creative',
      headers: {
        authorization: `Bearer ${company.token}`,
        'content-type': request.headers.get('content-type')!,
        'content-length': String(bytes.length),
      },
      payload,
    });
    return { response, finish: () => payload.end(bytes.subarray(-1)) };
  };
  const slow = [await slowUpload(), await slowUpload(), await slowUpload(), await slowUpload()];
  await eventually(async () => expect(await filesInTransfer()).toBe(4));
  let isDone = false;
  const next = upload(company, form(appUuid, { banner: file(banner) })).finally(() => (isDone = true));
  const other = await companyWithApp();
  expect((await upload(other.company, form(other.appUuid, { banner: file(banner) }))).status).toBe(201);
  expect(isDone).toBe(false);
  for (const { finish } of slow) finish();
  for (const { response } of slow) expect((await response).statusCode).toBe(201);
  expect((await next).status).toBe(201);
  expect(await filesInTransfer()).toBe(0);
});

async function filesInTransfer(): Promise<number> {
  return (await readdir(join(app.ctx.config.dataDir, 'uploads'))).length;
}

const whole = {
  Banner: await picture(320, 50),
  Native: await picture(80, 80, 'gif'),
  Playable: Buffer.from('<html><body onclick="mraid.open()">play</body></html>'),
  Video: await video(640, 360, { seconds: 2 }),
};

const types = ['Banner', 'Native', 'Playable', 'Video'] as const;

const fieldOf = { Banner: 'banner', Native: 'banner', Playable: 'playable', Video: 'video' } as const;

/** A file with a few bytes changed, truncated at some point. */
const damage = fc.record({
  bytes: fc.array(fc.tuple(fc.nat(2000), fc.integer({ min: 0, max: 255 })), { maxLength: 6 }),
  keep: fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
});

function damagedCopy(content: Buffer, { bytes, keep }: { bytes: [number, number][]; keep: number }): Buffer {
  const copy = Buffer.from(content.subarray(0, Math.round(content.length * keep)));
  for (const [at, value] of bytes) if (at < copy.length) copy[at] = value;
  return copy;
}

test('any upload results in a creative or an error of the upload', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const content = (type: (typeof types)[number]) =>
    fc.oneof(
      { weight: 3, arbitrary: damage.map((how) => damagedCopy(whole[type], how)) },
      { weight: 1, arbitrary: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)) },
    );
  const uploads = fc
    .constantFrom(...types)
    .chain((type) =>
      fc.tuple(fc.constant(type), content(type), fc.string({ maxLength: 60, unit: 'binary' })),
    );
  await fc.assert(
    fc.asyncProperty(uploads, async ([type, bytes, name]) => {
      const { status } = await company.upload('POST', '/v2/internal_creative', {
        name,
        type,
        app_id: appUuid,
        [fieldOf[type]]: { name: 'file', content: bytes },
        ...(type === 'Video' && { banner: { name: 'card', content: whole.Banner } }),
      });
      expect([201, 400, 422]).toContain(status);
    }),
    runs(60),
  );
});

test('a form that ends within a file is rejected', async () => {
  const company = await app.freshCompany();
  const payload =
    '--b\r\nContent-Disposition: form-data; name="banner"; filename="a.png"\r\n' +
    'Content-Type: image/png\r\n\r\nx\0\n--b--\r\n';
  const { statusCode } = await app.http.inject({
    method: 'POST',
    url: '/api/internal/v2/internal_creative',
    headers: {
      authorization: `Bearer ${company.token}`,
      'content-type': 'multipart/form-data; boundary=b',
    },
    payload,
  });
  expect(statusCode).toBe(400);
});

test('an invalid form is rejected', async () => {
  const company = await app.freshCompany();
  const valid = [
    '--b',
    'Content-Disposition: form-data; name="type"',
    '',
    'Banner',
    '--b',
    'Content-Disposition: form-data; name="banner"; filename="a.png"',
    'Content-Type: image/png',
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n');
  const bodies = fc.oneof(
    fc.string({ maxLength: 200 }),
    damage.map((how) => damagedCopy(Buffer.from(valid), how)),
  );
  const contentTypes = fc.constantFrom(
    'multipart/form-data; boundary=b',
    'multipart/form-data; boundary=c',
    'multipart/form-data',
    'multipart/mixed; boundary=b',
  );
  await fc.assert(
    fc.asyncProperty(bodies, contentTypes, async (payload, contentType) => {
      const { statusCode } = await app.http.inject({
        method: 'POST',
        url: '/api/internal/v2/internal_creative',
        headers: { authorization: `Bearer ${company.token}`, 'content-type': contentType },
        payload,
      });
      expect([400, 413, 415, 422]).toContain(statusCode);
    }),
    runs(60),
  );
});
