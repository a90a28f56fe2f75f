import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { CPU_QUEUE_LIMITS, imageQueue } from '../../../../platform/concurrency/cpu-queues.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { holdQueue } from '@bidwell/testing/held-queue';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { createThumbnails } from './derived-images.ts';

const app = await testApp();
const limits = CPU_QUEUE_LIMITS.images;

const putPicture = async (company: TestCompany) =>
  company.upload('PUT', `/users/${company.userId}`, {
    email: 'ada@example.com',
    first_name: 'Ada',
    last_name: 'Lovelace',
    contact: '@ada',
    avatar: { name: 'me.png', content: await picture(40, 30) },
  });

test('one company may fill its part of the queue of images, and another is served before the rest', async () => {
  const [greedy, modest] = [await app.freshCompany(), await app.freshCompany()];
  const free = await holdQueue(imageQueue, limits);
  const turns = Array.from({ length: limits.waitingEach }, async () => imageQueue.enter(greedy.companyId));

  const rejected = await putPicture(greedy);
  expect([rejected.status, rejected.data]).toEqual([
    429,
    'You have too many images waiting. Please wait a moment.',
  ]);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);

  const shown = putPicture(modest);
  await eventually(() => expect(imageQueue.waiting).toBe(limits.waitingEach + 1));
  free();
  // The company's first images keep their places: only what they leave is for the other one.
  for (const turn of turns.slice(0, limits.running)) (await turn)();
  expect((await shown).status).toBe(200);
  expect(imageQueue.waiting).toBeGreaterThan(limits.waitingEach - 3 * limits.running);
  for (const turn of turns) void turn.then((end) => end());
  await Promise.all(turns);
});

test('an upload and a thumbnail wait for their turn too', async () => {
  const company = await app.freshCompany();
  const appUuid = await make(company, '/app', appBody());
  const upload = async () =>
    company.upload('POST', '/v2/internal_creative', {
      app_id: appUuid,
      type: 'Banner',
      name: 'One',
      banner: { name: 'one.png', content: await picture(320, 50) },
    });
  const { data } = await upload();
  const calls = [
    upload,
    async () => company.call('GET', `/file/${data.internal_creative.banner.uuid}?size=thumb`),
  ];
  for (const call of calls) {
    const free = await holdQueue(imageQueue, limits);
    const response = call();
    await eventually(() => expect(imageQueue.waiting).toBe(1));
    free();
    expect((await response).status).toBeLessThan(300);
  }
});

test('originals that a slow store does not send hold up no picture', async () => {
  const [greedy, modest] = [await app.freshCompany(), await app.freshCompany()];
  const reads: Readable[] = [];
  const files = {
    ...app.ctx.files,
    size: async (key: string) => (key.endsWith('.thumb') ? null : 100),
    read: () => {
      const stalled = new Readable({ read() {} });
      reads.push(stalled);
      return stalled;
    },
  };
  const thumbnails = createThumbnails({ files });
  const row = {
    company_uuid: greedy.companyId,
    content_type: 'image/png',
    extension: 'png',
    size_bytes: 100,
    sha256: '',
    width: 320,
    height: 50,
    duration_ms: null,
    created_at: new Date(),
  };
  const never = new AbortController().signal;
  const requested = Array.from({ length: limits.running }, async () =>
    thumbnails.of(greedy.companyId, { ...row, uuid: randomUUID() }, never),
  );
  await eventually(() => expect(reads).toHaveLength(limits.running));
  expect((await putPicture(modest)).status).toBe(200);
  for (const stalled of reads) stalled.destroy(new Error('The store does not answer'));
  expect((await Promise.allSettled(requested)).map(({ status }) => status)).toEqual(
    requested.map(() => 'rejected'),
  );
});
