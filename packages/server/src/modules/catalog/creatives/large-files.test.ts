import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { appBody, make } from '@bidwell/testing/advertising';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp();
beforeAll(() => app.listen());

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

test.each([
  ['Banner', 'banner', 5 * MEBIBYTE + 1, 5],
  ['Banner', 'banner', 40 * MEBIBYTE, 5],
  ['Playable', 'playable', 20 * MEBIBYTE, 5],
  ['Video', 'video', 100 * MEBIBYTE + 1, 100],
  ['Video', 'video', 130 * MEBIBYTE, 100],
])('a %s whose %s has %i bytes is larger than its limit', async (type, field, bytes, megabytes) => {
  expect(await upload(type, field, bytes)).toEqual({
    status: 413,
    data: `"large.bin" is larger than ${megabytes} MB`,
  });
});
