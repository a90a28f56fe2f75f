import sharp from 'sharp';
import { runInNewContext } from 'node:vm';
import { expect, test, beforeAll } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { exhaustive } from '@bidwell/testing/whole-run';
import type { AddressInfo } from 'node:net';

const app = await testApp();

beforeAll(() => app.listen());

const html = Buffer.from(
  `<!doctype html><html><body onclick="mraid.open()">${'play '.repeat(1000)}</body></html>`,
);

async function uploaded(company: TestCompany, type: 'Banner' | 'Playable') {
  const content = type === 'Banner' ? await picture(320, 50) : html;
  const appUuid = await make(company, '/app', appBody());
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'One',
    type,
    app_id: appUuid,
    [type === 'Banner' ? 'banner' : 'playable']: { name: 'one', content },
  });
  const asset = data.internal_creative;
  return {
    uuid: (asset.banner ?? asset.playable).uuid as string,
    content,
    creativeUuid: data.uuid as string,
  };
}

/** Like {@link uploaded}, then approved by the operator, so that devices may load it. */
async function published(company: TestCompany, type: 'Banner' | 'Playable') {
  const made = await uploaded(company, type);
  await app.operator('POST', `/creatives/${made.creativeUuid}/decision`, { status: 'Approved' });
  return made;
}

const read = (company: TestCompany, url: string, headers: Record<string, string> = {}) =>
  app.http.inject({ url, headers: { authorization: `Bearer ${company.token}`, ...headers } });

test('a file is read with and without its extension, and not sent again to a client that has it', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await uploaded(company, 'Banner');
  for (const url of [`/api/internal/file/${uuid}`, `/api/internal/file/${uuid}.png`]) {
    const response = await read(company, url);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
    });
    expect(response.rawPayload.equals(content)).toBe(true);
    for (const known of [
      response.headers.etag!,
      `W/${response.headers.etag}`,
      `"other", ${response.headers.etag}`,
    ]) {
      const again = await read(company, url, { 'if-none-match': known });
      expect(again.statusCode).toBe(304);
      expect(again.body).toBe('');
    }
    expect((await read(company, url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  }
});

const ranges: [string, (length: number) => [number, number]][] = [
  ['bytes=0-9', () => [0, 9]],
  ['bytes=10-', (length) => [10, length - 1]],
  ['bytes=-5', (length) => [length - 5, length - 1]],
  ['bytes=5-99999999', (length) => [5, length - 1]],
  ['bytes=-99999999', (length) => [0, length - 1]],
];
test('a range of a file is read, also of a page', async () => {
  const company = await app.freshCompany();
  for (const type of ['Banner', 'Playable'] as const) {
    const { uuid, content } = await uploaded(company, type);
    for (const [range, partOf] of ranges) {
      const [start, end] = partOf(content.length);
      const response = await read(company, `/api/internal/file/${uuid}`, {
        range,
        'accept-encoding': 'gzip',
      });
      expect(response.statusCode).toBe(206);
      expect(response.headers['content-range']).toBe(`bytes ${start}-${end}/${content.length}`);
      expect(response.rawPayload.equals(content.subarray(start, end + 1))).toBe(true);
    }
  }
});

test('an invalid range, or several, returns the whole file', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await uploaded(company, 'Banner');
  for (const range of ['bytes=9-3', 'bytes=-', 'bytes=0-1,3-4', 'lines=1-2', 'bytes=a-b']) {
    const response = await read(company, `/api/internal/file/${uuid}`, { range });
    expect([range, response.statusCode]).toEqual([range, 200]);
    expect(response.rawPayload.equals(content)).toBe(true);
  }
});

test('a range outside the file is rejected with the length of the file', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await published(company, 'Banner');
  for (const url of [`/api/internal/file/${uuid}`, `/m/${uuid}.png`])
    for (const range of ['bytes=99999999-', `bytes=${content.length}-`, 'bytes=-0']) {
      const response = await read(company, url, { range });
      expect([range, response.statusCode]).toEqual([range, 416]);
      expect(response.headers['content-range']).toBe(`bytes */${content.length}`);
      expect(response.headers['cache-control'] ?? 'no-store').toBe('no-store');
      expect(response.json()).toEqual({ data: `The file has ${content.length} bytes.` });
    }
});

test('a range is sent only for the version of the file that the client has', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await published(company, 'Banner');
  const url = `/m/${uuid}.png`;
  const { etag } = (await read(company, url)).headers;
  const part = await read(company, url, { range: 'bytes=0-9', 'if-range': etag! });
  expect([part.statusCode, part.rawPayload.length]).toEqual([206, 10]);
  const whole = await read(company, url, { range: 'bytes=0-9', 'if-range': '"older"' });
  expect([whole.statusCode, whole.rawPayload.length]).toEqual([200, content.length]);
});

test('HEAD returns the headers of the file', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await published(company, 'Banner');
  for (const url of [`/api/internal/file/${uuid}`, `/m/${uuid}.png`]) {
    const headers = { authorization: `Bearer ${company.token}` };
    const response = await app.http.inject({ method: 'HEAD', url, headers });
    expect([response.statusCode, response.body]).toEqual([200, '']);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': `${content.length}`,
      'accept-ranges': 'bytes',
    });
    const part = await app.http.inject({ method: 'HEAD', url, headers: { ...headers, range: 'bytes=0-9' } });
    expect([part.statusCode, part.headers['content-length']]).toEqual([206, '10']);
  }
});

test('a file has one extension: another one is not found', async () => {
  const company = await app.freshCompany();
  const { uuid } = await published(company, 'Banner');
  for (const base of ['/api/internal/file', '/m']) {
    expect((await read(company, `${base}/${uuid}.PNG`)).statusCode).toBe(200);
    for (const extension of ['.jpg', '.html', '.mp4', '.']) {
      const response = await read(company, `${base}/${uuid}${extension}`);
      expect([extension, response.statusCode]).toEqual([extension, 404]);
      expect([undefined, 'no-store']).toContain(response.headers['cache-control']);
    }
  }
});

test('lists have thumbnails, which are created once', async () => {
  const company = await app.freshCompany();
  const { uuid } = await published(company, 'Banner');
  const { data } = await company.call('GET', '/internal_creative');
  const { thumbnail } = data.internal_creatives[0].internal_creative;
  const [first, second] = await Promise.all([read(company, thumbnail), read(company, thumbnail)]);
  expect(first.statusCode).toBe(200);
  expect(first.headers['content-type']).toBe('image/webp');
  expect(await sharp(first.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 160, height: 25 });
  expect(second.rawPayload.equals(first.rawPayload)).toBe(true);
  const again = await read(company, thumbnail);
  expect(again.rawPayload.equals(first.rawPayload)).toBe(true);
  expect(again.headers.etag).not.toBe((await read(company, `/m/${uuid}.png`)).headers.etag);
  const known = await read(company, thumbnail, { 'if-none-match': again.headers.etag! });
  expect([known.statusCode, known.body]).toEqual([304, '']);

  const other = await app.freshCompany();
  expect((await read(other, thumbnail)).statusCode).toBe(404);
  expect((await read(company, thumbnail.replace('thumb', 'huge'))).statusCode).toBe(422);
  await app.ctx.files.remove(uuid);
  expect((await read(company, thumbnail)).statusCode).toBe(404);
});

test('a page has no thumbnail', async () => {
  const company = await app.freshCompany();
  const { uuid } = await uploaded(company, 'Playable');
  expect((await read(company, `/api/internal/file/${uuid}?size=thumb`)).json()).toEqual({
    data: 'File not found',
  });
  const { data } = await company.call('GET', '/internal_creative');
  expect(data.internal_creatives[0].internal_creative.thumbnail).toBeNull();
});

test('the thumbnail of an animated image is its first frame', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const frames = await Promise.all([picture(512, 512), picture(512, 512, 'jpeg')]);
  const content = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'Moving',
    type: 'Native',
    app_id: appUuid,
    banner: { name: 'a.gif', content },
  });
  const small = await read(company, data.internal_creative.thumbnail);
  const { format, width, height, pages } = await sharp(small.rawPayload).metadata();
  expect({ format, width, height, pages: pages ?? 1 }).toEqual({
    format: 'webp',
    width: 160,
    height: 160,
    pages: 1,
  });
});

test('an uploaded page runs in a sandbox, and is complete when compressed', async () => {
  const company = await app.freshCompany();
  const { uuid } = await uploaded(company, 'Playable');
  const response = await read(company, `/api/internal/file/${uuid}.html`);
  expect(response.headers['content-security-policy']).toBe('sandbox allow-scripts');
  expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(response.rawPayload.equals(html)).toBe(true);
  const zipped = await read(company, `/api/internal/file/${uuid}.html`, { 'accept-encoding': 'gzip' });
  expect(zipped.statusCode).toBe(200);
});

test('devices load the files of approved creatives without a session, and no others', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await published(company, 'Banner');
  const shown = await app.http.inject({ url: `/m/${uuid}.png` });
  expect(shown.rawPayload.equals(content)).toBe(true);
  expect(shown.headers).toMatchObject({
    'cross-origin-resource-policy': 'cross-origin',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  const profile = { email: 'a@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  const avatar = { name: 'me.png', content: await picture(30, 30) };
  const { data: user } = await company.upload('PUT', `/users/${company.userId}`, { ...profile, avatar });
  const [, avatarId] = /file\/(.{36})/.exec(user.avatar)!;
  expect((await app.http.inject({ url: `/m/${avatarId}.png` })).statusCode).toBe(404);
  for (const url of [
    '/m/x',
    '/m/..%2f..%2fsecrets.json',
    `/m/${uuid}.png%00`,
    `/m/${company.companyId}.png`,
  ]) {
    expect([url, (await app.http.inject({ url })).statusCode]).toEqual([url, 404]);
  }
});

test('a banner and a playable are public while they are approved, and not before or after', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const made = await Promise.all([uploaded(company, 'Banner'), uploaded(company, 'Playable')]);
  const status = async (url: string) => (await app.http.inject({ url })).statusCode;
  const decide = async (body: object) => {
    for (const { creativeUuid } of made)
      await app.operator('POST', `/creatives/${creativeUuid}/decision`, body);
  };
  /** Waits until the cached approval has expired. */
  const become = (expected: number) =>
    Promise.all(made.map(({ uuid }) => expect.poll(() => status(`/m/${uuid}`)).toBe(expected)));
  for (const { uuid } of made) expect(await status(`/m/${uuid}`)).toBe(404);
  await decide({ status: 'Approved' });
  await become(200);
  await decide({ status: 'Rejected', reason: 'Blurred' });
  await become(404);

  for (const { uuid, content } of made) {
    const preview = await read(company, `/api/internal/file/${uuid}/preview`);
    const { url, expires_at } = preview.json<{ data: { url: string; expires_at: string } }>().data;
    const shown = await app.http.inject({ url });
    expect(shown.rawPayload.equals(content)).toBe(true);
    expect(shown.headers['cache-control']).toBe('private, max-age=86400');
    expect(await status(url.replace(/expires=\d+/, 'expires=99999999999'))).toBe(404);
    expect(await status(url.replace(uuid, crypto.randomUUID()))).toBe(404);
    expect((await read(other, `/api/internal/file/${uuid}/preview`)).statusCode).toBe(404);
    const { now } = app.clock;
    app.clock.now = new Date(Date.parse(expires_at));
    expect(await status(url)).toBe(404);
    app.clock.now = now;
  }
});

test('an operator can see everything that is waiting for moderation', async () => {
  const company = await app.freshCompany();
  for (const type of ['Banner', 'Playable'] as const) {
    const { creativeUuid, content } = await uploaded(company, type);
    const { data } = await app.operator('GET', '/moderation');
    const item = data.items.find(({ uuid }: { uuid: string }) => uuid === creativeUuid);
    const response = await app.http.inject({ url: item.link });
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(content)).toBe(true);
    expect(response.headers['content-security-policy']).toContain('sandbox');
  }
});

test('a file missing in the folder is not found', async () => {
  const company = await app.freshCompany();
  const { uuid } = await uploaded(company, 'Banner');
  await app.ctx.files.remove(uuid);
  expect((await read(company, `/api/internal/file/${uuid}`)).json()).toEqual({ data: 'File not found' });
});

test('a playable in a preview has an MRAID container that is ready and viewable and reports the URLs that it opens', async () => {
  const response = await app.http.inject({ url: '/m/mraid.js' });
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toContain('text/javascript');
  const messages: unknown[] = [];
  const loaded: (() => void)[] = [];
  const window: Record<string, unknown> = {
    innerWidth: 360,
    innerHeight: 640,
    parent: { postMessage: (message: unknown) => messages.push(message) },
    addEventListener: (event: string, listener: () => void) => {
      if (event === 'load') loaded.push(listener);
    },
  };
  const run = (later: () => void) => later();
  const sandbox = { window, document: { readyState: 'loading' }, setTimeout: run };
  runInNewContext(response.body, sandbox);
  const result: unknown[] = [];
  const page = `mraid.addEventListener('ready', () => result.push(mraid.getState(), mraid.isViewable()));`;
  runInNewContext(page, { mraid: window['mraid'], result });
  expect(result).toEqual([]);
  for (const listener of loaded) listener();
  expect(result).toEqual(['default', true]);
  runInNewContext(`mraid.open('https://store.example/app')`, { mraid: window['mraid'] });
  expect(messages).toMatchObject([
    { source: 'mraid-preview', type: 'open', url: 'https://store.example/app' },
  ]);
});

const MEBIBYTE = 1024 * 1024;

/** Uploads a file of zeros over a connection of its own, where the form arrives piece by piece. */
async function upload(type: string, field: string, bytes: number) {
  const company = await app.freshCompany();
  const body = new FormData();
  const texts = { name: 'Large', type, app_id: await make(company, '/app', appBody()) };
  for (const [name, value] of Object.entries(texts)) body.append(name, value);
  body.append(field, new Blob([new Uint8Array(bytes)]), 'large.bin');
  const { port } = app.http.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/api/internal/v2/internal_creative`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${company.token}` },
  });
  return { status: response.status, ...((await response.json()) as object) };
}

const TOO_LARGE = 'a %s whose %s has %i bytes is larger than its limit';
const tooLarge = async (type: string, field: string, bytes: number, megabytes: number) =>
  expect(await upload(type, field, bytes)).toEqual({
    status: 413,
    data: `"large.bin" is larger than ${megabytes} MB`,
  });

test.each([
  ['Banner', 'banner', 5 * MEBIBYTE + 1, 5],
  ['Banner', 'banner', 40 * MEBIBYTE, 5],
  ['Playable', 'playable', 20 * MEBIBYTE, 5],
  ['Video', 'video', 100 * MEBIBYTE + 1, 100],
])(TOO_LARGE, tooLarge);

exhaustive.each([['Video', 'video', 130 * MEBIBYTE, 100]] as const)(TOO_LARGE, tooLarge);
