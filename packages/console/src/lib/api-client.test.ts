import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { api } from './api-client.ts';
import { endSession, openSession } from './session.ts';

const user = '019a0000-0000-7000-8000-000000000001';
const tokens = (access_token: string) => ({ access_token, expires_in: 900, user_id: user });

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A server that accepts one token, and what was asked of it. */
function fakeServer(accepted: { token: string }, refresh: () => Response) {
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    calls.push(url);
    if (url.endsWith('/refresh-token')) return refresh();
    const { authorization } = (init.headers ?? {}) as Record<string, string>;
    return authorization === `Bearer ${accepted.token}`
      ? json(200, { data: url })
      : json(401, { data: 'Please log in.' });
  });
  return calls;
}

beforeEach(() => {
  document.cookie = 'bidwell_session=1';
});

afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

test('thirty calls refused at once make one refresh, and all are answered', async () => {
  openSession(tokens('old'));
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => api.get(`/thing/${index}`)));
  expect(answers).toHaveLength(30);
  expect(answers[7]).toBe('/api/internal/thing/7');
  expect(calls.filter((url) => url.endsWith('/refresh-token'))).toHaveLength(1);
});

test('without an access token the session is refreshed first', async () => {
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  await expect(api.get('/thing')).resolves.toBe('/api/internal/thing');
  expect(calls).toEqual(['/api/internal/refresh-token', '/api/internal/thing']);
});

test('a refused refresh ends the session, and the call fails as it did', async () => {
  openSession(tokens('old'));
  fakeServer({ token: 'new' }, () => json(401, { data: 'Please log in.' }));
  await expect(api.get('/thing')).rejects.toMatchObject({ status: 401, message: 'Please log in.' });
});

test('a refresh that fails says that the session expired', async () => {
  openSession(tokens('old'));
  fakeServer({ token: 'new' }, () => json(503, { data: 'away' }));
  await expect(api.get('/thing')).rejects.toThrow('Session expired. Please refresh the page.');
});

test('field errors come by field, and an answer that is no envelope is unexpected', async () => {
  openSession(tokens('good'));
  vi.stubGlobal('fetch', async (url: string) =>
    url.endsWith('/fields')
      ? json(422, { data: 'Required', errors: [{ field: 'name', message: 'Required' }] })
      : new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  );
  await expect(api.post('/fields', {})).rejects.toMatchObject({ status: 422, fields: { name: 'Required' } });
  await expect(api.get('/proxy')).rejects.toThrow('Unexpected error');
});
