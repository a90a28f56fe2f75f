import { afterAll, expect, onTestFinished, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { picture } from '@bidwell/testing/files/pictures';
import { startS3Server } from '@bidwell/testing/engines/s3-server';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { tcpRelay } from '@bidwell/testing/engines/test-tcp-relay';
import { eventually } from '@bidwell/testing/eventually';

const s3 = await startS3Server();
afterAll(() => s3.stop());
const relay = await tcpRelay(() => s3.port);
const app = await testApp({
  ...s3.environment,
  S3_ENDPOINT: `http://127.0.0.1:${relay.port}`,
  ASSET_ORIGIN: 'http://cdn.test',
});

async function uploaded(company: TestCompany) {
  const content = await picture(320, 50);
  const { status, data } = await company.upload('POST', '/v2/internal_creative', {
    name: 'One',
    type: 'Banner',
    app_id: await make(company, '/app', appBody()),
    banner: { name: 'one.png', content },
  });
  return { status, data, content, uuid: data.internal_creative?.banner.uuid as string };
}

async function published(company: TestCompany) {
  const made = await uploaded(company);
  await app.operator('POST', `/creatives/${made.data.uuid}/decision`, { status: 'Approved' });
  return made;
}

const media = async (uuid: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.http.inject({ method, url: `/m/${uuid}.png`, headers: { host: 'cdn.test', ...headers } });

test('a content delivery network can cache an approved file for ever, whole and in ranges', async () => {
  const { uuid, content } = await published(await app.freshCompany());
  const whole = await media(uuid);
  expect(whole.rawPayload.equals(content)).toBe(true);
  expect(whole.headers).toMatchObject({
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'content-length': `${content.length}`,
    etag: expect.stringMatching(/^"[\da-f]{32}"$/) as string,
  });
  expect(whole.headers['set-cookie']).toBeUndefined();
  const part = await media(uuid, { range: 'bytes=5-9', 'if-range': String(whole.headers.etag) });
  expect([part.statusCode, part.rawPayload]).toEqual([206, content.subarray(5, 10)]);
  expect(part.headers['cache-control']).toBe(whole.headers['cache-control']);
  const known = await media(uuid, { 'if-none-match': String(whole.headers.etag), cookie: 'session=1' });
  expect([known.statusCode, known.headers['set-cookie']]).toEqual([304, undefined]);
  expect((await media(uuid, {}, 'HEAD')).headers['content-length']).toBe(`${content.length}`);
});

test('a file that is not there, or not now, is not cached', async () => {
  const { uuid } = await uploaded(await app.freshCompany());
  const unapproved = await media(uuid);
  expect([unapproved.statusCode, unapproved.headers['cache-control']]).toEqual([404, 'no-store']);
  const { uuid: removed } = await published(await app.freshCompany());
  await app.ctx.files.remove(removed);
  const gone = await media(removed);
  expect([gone.statusCode, gone.headers['cache-control']]).toEqual([404, 'no-store']);
});

test('while S3 is away known files are served, and uploads fail with a sentence', async () => {
  const company = await app.freshCompany();
  const { uuid, content } = await published(company);
  relay.cut(true);
  onTestFinished(() => relay.mend());
  // A response of /readyz is reused for half a second.
  const degraded = async () => (await app.http.inject({ url: '/readyz' })).json().data.degraded;
  expect((await media(uuid)).rawPayload.equals(content)).toBe(true);
  const failed = await uploaded(company);
  expect([failed.status, failed.data]).toEqual([
    503,
    'Files cannot be stored or read at the moment. Please try again in a minute.',
  ]);
  await eventually(async () => expect(await degraded()).toHaveLength(1));
  const { thumbnail } = (await company.call('GET', '/internal_creative')).data.internal_creatives[0]
    .internal_creative;
  const headers = { authorization: `Bearer ${company.token}` };
  expect((await app.http.inject({ url: thumbnail, headers })).statusCode).toBe(503);
  relay.mend();
  expect((await app.http.inject({ url: thumbnail, headers })).statusCode).toBe(200);
  await eventually(async () => expect(await degraded()).toEqual([]));
});
