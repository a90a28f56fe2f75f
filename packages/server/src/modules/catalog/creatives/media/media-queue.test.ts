import { expect, test, beforeAll } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { MEDIA_LIMITS, mediaQueue } from './media-worker-pool.ts';
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CPU_QUEUE_LIMITS, imageQueue, passwordQueue } from '../../../../platform/concurrency/cpu-queues.ts';
import { holdQueue } from '@bidwell/testing/held-queue';
import { picture } from '@bidwell/testing/files/pictures';
import { createThumbnails } from './derived-images.ts';
import type { AddressInfo } from 'node:net';
import type { FairQueue, FairQueueLimits } from '../../../../platform/concurrency/fair-queue.ts';
import { findOwned } from '../../../../platform/postgres/stores/owned-store.ts';

const app = await testApp();

beforeAll(() => app.listen());

/** Uploads a playable of a new app. */
async function uploadPlayable(company: TestCompany) {
  const appUuid = await make(company, '/app', appBody());
  return company.upload('POST', '/v2/internal_creative', {
    app_id: appUuid,
    type: 'Playable',
    name: 'Game',
    playable: {
      name: 'game.html',
      content: Buffer.from('<html><body onclick="mraid.open()">play</body></html>'),
    },
  });
}

test('files of one company that are slow to read hold up no upload of another, and are bounded', async () => {
  const [greedy, modest] = [await app.freshCompany(), await app.freshCompany()];
  const { waitingEach } = MEDIA_LIMITS;
  // As many slow files as the company may have, of which one is being read.
  const turns = Array.from({ length: waitingEach + 1 }, async () => mediaQueue.enter(greedy.companyId));
  expect((await uploadPlayable(modest)).status).toBe(201);
  expect(mediaQueue.waiting).toBe(waitingEach);

  const rejected = await uploadPlayable(greedy);
  expect([rejected.status, rejected.data]).toEqual([
    429,
    'You have too many videos and playables waiting. Please wait a moment.',
  ]);
  for (const turn of turns) void turn.then((end) => end());
  await Promise.all(turns);
});

test('with slow files of several companies, each waits for one turn of the others only', async () => {
  const [one, other, modest] = [await app.freshCompany(), await app.freshCompany(), await app.freshCompany()];
  const turns = [one, other].flatMap(({ companyId }) =>
    Array.from({ length: 8 }, async () => mediaQueue.enter(companyId)),
  );
  const before = mediaQueue.waiting;
  const uploaded = uploadPlayable(modest);
  await eventually(() => expect(mediaQueue.waiting).toBe(before + 1));
  (await turns[0]!)();
  (await turns[1]!)();
  expect((await uploaded).status).toBe(201);
  for (const turn of turns) void turn.then((end) => end());
  await Promise.all(turns);
});

const imageLimits = CPU_QUEUE_LIMITS.images;

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
  const free = await holdQueue(imageQueue, imageLimits);
  const turns = Array.from({ length: imageLimits.waitingEach }, async () =>
    imageQueue.enter(greedy.companyId),
  );

  const rejected = await putPicture(greedy);
  expect([rejected.status, rejected.data]).toEqual([
    429,
    'You have too many images waiting. Please wait a moment.',
  ]);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);

  const shown = putPicture(modest);
  await eventually(() => expect(imageQueue.waiting).toBe(imageLimits.waitingEach + 1));
  free();
  // The company's first images keep their places: the other one gets only the rest.
  for (const turn of turns.slice(0, imageLimits.running)) (await turn)();
  expect((await shown).status).toBe(200);
  expect(imageQueue.waiting).toBeGreaterThan(imageLimits.waitingEach - 3 * imageLimits.running);
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
    const free = await holdQueue(imageQueue, imageLimits);
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
  const requested = Array.from({ length: imageLimits.running }, async () =>
    thumbnails.of(greedy.companyId, { ...row, uuid: randomUUID() }, never),
  );
  await eventually(() => expect(reads).toHaveLength(imageLimits.running));
  expect((await putPicture(modest)).status).toBe(200);
  for (const stalled of reads) stalled.destroy(new Error('The store does not answer'));
  expect((await Promise.allSettled(requested)).map(({ status }) => status)).toEqual(
    requested.map(() => 'rejected'),
  );
});

/** Begins a call over a connection of its own; returns a function that closes the connection. */
function begin(path: string, init: RequestInit, company: TestCompany): () => void {
  const { port } = app.http.server.address() as AddressInfo;
  const connection = new AbortController();
  const headers = new Headers(init.headers);
  headers.set('authorization', `Bearer ${company.token}`);
  fetch(`http://127.0.0.1:${port}/api${path}`, { ...init, headers, signal: connection.signal }).catch(
    () => {},
  );
  return () => connection.abort();
}

const json = (method: string, body: object): RequestInit => ({
  method,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

function form(method: string, parts: Record<string, string | Blob>): RequestInit {
  const body = new FormData();
  for (const [name, part] of Object.entries(parts)) body.append(name, part);
  return { method, body };
}

const image = async (width: number, height: number) =>
  new Blob([new Uint8Array(await picture(width, height))]);

const person = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', contact: '@ada' };

const login = 'nobody.at.all';

const creative = async (company: TestCompany, type: string) => ({
  app_id: await make(company, '/app', appBody()),
  type,
  name: 'One',
});

/** Uploads a banner; resolves to the uuid of its file. */
async function uploadBanner(company: TestCompany): Promise<string> {
  const { data } = await company.upload('POST', '/v2/internal_creative', {
    ...(await creative(company, 'Banner')),
    banner: { name: 'one.png', content: await picture(320, 50) },
  });
  return data.internal_creative.banner.uuid;
}

interface Case {
  queue: FairQueue;
  limits: FairQueueLimits;
  path: (company: TestCompany) => string | Promise<string>;
  init: (company: TestCompany) => RequestInit | Promise<RequestInit>;
}

const passwords = { queue: passwordQueue, limits: CPU_QUEUE_LIMITS.passwords };

const images = { queue: imageQueue, limits: CPU_QUEUE_LIMITS.images };

const media = { queue: mediaQueue, limits: MEDIA_LIMITS };

const ofUser = ({ userId }: TestCompany) => `/internal/users/${userId}`;

const cases: Record<string, Case> = {
  login: {
    ...passwords,
    path: () => '/internal/login',
    init: () => json('POST', { login, password: 'nonsense' }),
  },
  registration: {
    ...passwords,
    path: () => '/internal/registration',
    init: () => json('POST', { ...person, login, password: 'analytical engine' }),
  },
  'login of an operator': {
    ...passwords,
    path: () => '/operator/session',
    init: () => json('POST', { login, password: 'nonsense' }),
  },
  'change of a password': {
    ...passwords,
    path: ofUser,
    init: () =>
      json('PUT', {
        ...person,
        password: 'analytical engine',
        password_confirmation: 'analytical engine',
      }),
  },
  'picture of a person': {
    ...images,
    path: ofUser,
    init: async () => form('PUT', { ...person, avatar: await image(40, 30) }),
  },
  banner: {
    ...images,
    path: () => '/internal/v2/internal_creative',
    init: async (company) =>
      form('POST', { ...(await creative(company, 'Banner')), banner: await image(320, 50) }),
  },
  thumbnail: {
    ...images,
    path: async (company) => `/internal/file/${await uploadBanner(company)}?size=thumb`,
    init: () => ({}),
  },
  playable: {
    ...media,
    path: () => '/internal/v2/internal_creative',
    init: async (company) => {
      const page = new Blob(['<html><body onclick="mraid.open()">play</body></html>']);
      return form('POST', { ...(await creative(company, 'Playable')), playable: page });
    },
  },
};

test.each(Object.entries(cases))('a %s whose caller has left waits no longer', async (_name, one) => {
  const { queue, limits, path, init } = one;
  const company = await app.freshCompany();
  const sent = await init(company);
  const address = await path(company);
  const free = await holdQueue(queue, limits);
  try {
    const leave = begin(address, sent, company);
    await eventually(() => expect(queue.waiting).toBe(1));
    leave();
    await eventually(() => expect(queue.waiting).toBe(0));
  } finally {
    free();
  }
});

test('a thumbnail is made as long as one of those who asked for it waits', async () => {
  const company = await app.freshCompany();
  const { companyId } = company;
  const row = (await findOwned(app.ctx.db, 'files', companyId, await uploadBanner(company)))!;
  const thumbnails = createThumbnails(app.ctx);
  const request = () => {
    const caller = new AbortController();
    const response = thumbnails.of(companyId, row, caller.signal);
    response.catch(() => {});
    return { response, leave: () => caller.abort(new Error('left')) };
  };
  const free = await holdQueue(imageQueue, CPU_QUEUE_LIMITS.images);
  const all = [request(), request()];
  await eventually(() => expect(imageQueue.waiting).toBe(1));
  for (const { leave } of all) {
    expect(imageQueue.waiting).toBe(1);
    leave();
  }
  await eventually(() => expect(imageQueue.waiting).toBe(0));
  const again = [request(), request()];
  again[0]!.leave();
  free();
  expect((await again[1]!.response)!.length).toBeGreaterThan(0);
});
