import { messages } from '@bidwell/contract/text/messages';
import { endpoint } from '@bidwell/contract/lib/endpoint';
import { solveCaptcha } from '@bidwell/contract/accounts/endpoints';
import { uploadCreative } from '@bidwell/contract/creatives/endpoints';
import { envelope } from '@bidwell/contract/lib/wire';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { api } from './api-client.ts';
import { logOut } from './account.ts';
import { queryClient } from './query-client.ts';
import {
  accessToken,
  endSession,
  mayHaveSession,
  onRefreshFailure,
  onSessionEnd,
  openSession,
  userId,
} from './session.ts';

const user = '019a0000-0000-7000-8000-000000000001';
const tokens = (access_token: string) => ({ access_token, expires_in: 900, user_id: user });

const response = { 200: envelope(z.string()) };
const companyPermission = 'app.read';
const readThing = endpoint('GET /thing', { summary: 'Read', companyPermission, response });
const readItem = endpoint('GET /thing/:index', {
  summary: 'Read',
  companyPermission,
  params: z.object({ index: z.number() }),
  response,
});
const createThing = endpoint('POST /thing', {
  summary: 'Create',
  companyPermission,
  body: z.object({ name: z.string() }),
  response: { 201: envelope(z.object({})) },
});

const json = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });

/** A server that accepts one token, and the URLs that were requested of it. */
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
  document.cookie = 'bidwell_session=1; Path=/';
});

afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

test('thirty calls refused at once make one refresh, and all get their response', async () => {
  openSession(tokens('old'));
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, index) => api.call(readItem, { params: { index } })),
  );
  expect(responses).toHaveLength(30);
  expect(responses[7]).toBe('/api/internal/thing/7');
  expect(calls.filter((url) => url.endsWith('/refresh-token'))).toHaveLength(1);
});

test('without an access token the session is refreshed first', async () => {
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  await expect(api.call(readThing)).resolves.toBe('/api/internal/thing');
  expect(calls).toEqual(['/api/internal/refresh-token', '/api/internal/thing']);
});

test('a refused refresh ends the session for good and says so', async () => {
  openSession(tokens('old'));
  const notified: string[] = [];
  const stops = [onSessionEnd(() => notified.push('ended')), onRefreshFailure(() => notified.push('failed'))];
  const calls = fakeServer({ token: 'new' }, () => json(401, { data: 'Please log in.' }));
  await expect(api.call(readThing)).rejects.toThrow('Session expired. Please refresh the page.');
  expect(notified).toEqual(['ended', 'failed']);
  expect(mayHaveSession()).toBe(false);
  await expect(api.call(readThing)).rejects.toMatchObject({ status: 401 });
  expect(calls.filter((url) => url.endsWith('/refresh-token'))).toHaveLength(1);
  for (const stop of stops) stop();
});

test('without a refresh token there is no refresh, only the end of the session', async () => {
  openSession(tokens('old'));
  document.cookie = 'bidwell_session=; Max-Age=0; Path=/';
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  await expect(api.call(readThing)).rejects.toMatchObject({ status: 401, message: 'Please log in.' });
  expect(calls).not.toContain('/api/internal/refresh-token');
});

test('a refusal of the captcha or the login is not retried', async () => {
  const calls = fakeServer({ token: 'new' }, () => json(200, { data: tokens('new') }));
  await expect(api.call(solveCaptcha, { body: { captcha: '' } })).rejects.toMatchObject({ status: 401 });
  expect(calls).toEqual(['/api/internal/captcha']);
});

test('logging out clears the session even when the server cannot be reached', async () => {
  openSession(tokens('good'));
  queryClient.setQueryData(['app'], ['something']);
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('away');
  });
  await logOut();
  expect(mayHaveSession()).toBe(false);
  expect(queryClient.getQueryData(['app'])).toBeUndefined();
  // The cookie reports the logout with the next request that reaches the server.
  expect(document.cookie).toContain('bidwell_logged_out=1');
});

test('reads that begin while the session ends are not sent', async () => {
  openSession(tokens('a'));
  let end = () => {};
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    sent.push(`${method} ${url}`);
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    return json(200, { data: 'ok' });
  });
  const leaving = logOut();
  await expect.poll(() => sent).toHaveLength(1);
  void api.call(readThing);
  end();
  await leaving;
  expect(sent).toEqual([expect.stringMatching(/^POST .*logout$/)]);
});

test('logging out in one tab ends the session of the others', async () => {
  openSession(tokens('good'));
  const otherTab = new BroadcastChannel('bidwell-session');
  const end = new Promise<void>((resolve) => {
    const stop = onSessionEnd(() => {
      stop();
      resolve();
    });
  });
  otherTab.postMessage({ type: 'logout' });
  await end;
  otherTab.close();
  expect(userId()).toBeNull();
});

test('a tab takes the tokens that another tab got, but not the tokens of another person', async () => {
  openSession(tokens('old'));
  const otherTab = new BroadcastChannel('bidwell-session');
  const heard = new BroadcastChannel('bidwell-session');
  const twice = new Promise<void>((resolve) => {
    let count = 0;
    heard.addEventListener('message', () => {
      count += 1;
      if (count === 2) resolve();
    });
  });
  otherTab.postMessage({ type: 'tokens', tokens: tokens('shared'), mark: 'one' });
  otherTab.postMessage({
    type: 'tokens',
    tokens: { ...tokens('stranger'), user_id: user.replace(/1$/, '2') },
    mark: 'two',
  });
  await twice;
  otherTab.close();
  heard.close();
  await expect(accessToken()).resolves.toBe('shared');
});

test('tokens of another tab that are still on their way are waited for', async () => {
  openSession(tokens('old'));
  const calls = fakeServer({ token: 'shared' }, () => json(200, { data: tokens('own') }));
  document.cookie = 'bidwell_mark=of-the-other-tab; Path=/';
  const result = api.call(readThing);
  await expect.poll(() => calls).toEqual(['/api/internal/thing']);
  const otherTab = new BroadcastChannel('bidwell-session');
  otherTab.postMessage({ type: 'tokens', tokens: tokens('shared'), mark: 'of-the-other-tab' });
  await expect(result).resolves.toBe('/api/internal/thing');
  otherTab.close();
  expect(calls).toEqual(['/api/internal/thing', '/api/internal/thing']);
});

test('a refresh that fails says that the session expired', async () => {
  openSession(tokens('old'));
  fakeServer({ token: 'new' }, () => json(503, { data: 'away' }));
  await expect(api.call(readThing)).rejects.toThrow('Session expired. Please refresh the page.');
});

test('field errors come by field, and a response without an envelope says what to do', async () => {
  openSession(tokens('good'));
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) =>
    method === 'POST'
      ? json(422, { data: 'Required', errors: [{ field: 'name', message: 'Required' }] })
      : new Response('<html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  );
  await expect(api.call(createThing, { body: { name: '' } })).rejects.toMatchObject({
    status: 422,
    fields: { name: 'Required' },
  });
  await expect(api.call(readThing)).rejects.toThrow(messages.serverError);
});

test('a create that is repeated after a lost response has the same key, and a later one a new key', async () => {
  openSession(tokens('good'));
  const keys: (string | undefined)[] = [];
  const responses = [
    () => Promise.reject(new TypeError('cut off')),
    async () => json(500, { data: 'Something went wrong on our side. Please try again.' }),
    async () => json(201, { data: {} }),
    async () => json(422, { data: 'Required' }),
    async () => json(201, { data: {} }),
  ];
  vi.stubGlobal('fetch', (_url: string, { headers }: { headers: Record<string, string> }) => {
    keys.push(headers['idempotency-key']);
    return responses.shift()!();
  });
  while (responses.length > 0) await api.create(createThing, { body: { name: 'Everyone' } }).catch(() => {});
  const [lost, failed, made, rejected, another] = keys;
  expect(lost).toBeDefined();
  expect([failed, made]).toEqual([lost, lost]);
  expect(new Set([lost, rejected, another]).size).toBe(3);
});

test('an upload whose response has no envelope is an unexpected error', async () => {
  openSession(tokens('good'));
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends EventTarget {
      upload = new EventTarget();
      status = 502;
      responseText = '<html>';
      open() {}
      setRequestHeader() {}
      send() {
        this.dispatchEvent(new Event('load'));
      }
    },
  );
  await expect(api.upload(uploadCreative, { form: new FormData() })).rejects.toThrow('Unexpected error');
});
