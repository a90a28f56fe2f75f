import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import type { FairQueue, FairQueueLimits } from '../../../../platform/concurrency/fair-queue.ts';
import { CPU_QUEUE_LIMITS, imageQueue, passwordQueue } from '../../../../platform/concurrency/cpu-queues.ts';
import { findOwned } from '../../../../platform/postgres/stores/owned-store.ts';
import { appBody, make } from '@bidwell/testing/advertising';
import { eventually } from '@bidwell/testing/eventually';
import { holdQueue } from '@bidwell/testing/held-queue';
import { picture } from '@bidwell/testing/files/pictures';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { MEDIA_LIMITS, mediaQueue } from './media-worker-pool.ts';
import { createThumbnails } from './derived-images.ts';

const app = await testApp();
beforeAll(() => app.listen());

/** Begins a call over a connection of its own; returns what closes the connection. */
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
