import { eventually } from '@bidwell/testing/eventually';
import { viewerTokenOf } from '@bidwell/testing/caller-tokens';
import { localServer } from '@bidwell/testing/local-server';
import { testApp } from '@bidwell/testing/test-app';
import { beforeEach, expect, test } from 'vitest';
import { totpCode } from '../sign-in/totp.ts';

/** People whose connections Centrifugo had to close. */
const disconnected: string[] = [];
beforeEach(() => void disconnected.splice(0));
const centrifugo = await localServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    const { commands } = JSON.parse(body) as { commands: { disconnect?: { user: string } }[] };
    for (const { disconnect } of commands) if (disconnect) disconnected.push(disconnect.user);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ replies: commands.map(() => ({})) }));
  });
});
const app = await testApp({
  CENTRIFUGO_URL: `http://127.0.0.1:${centrifugo.port}/api`,
  CENTRIFUGO_API_KEY: 'a key',
});

test('Centrifugo closes the connections of a removed person at once', async () => {
  const owner = await app.freshCompany();
  const colleague = await app.freshPerson(owner, 'editor');
  expect((await owner.call('DELETE', `/people/${colleague.userId}`)).status).toBe(200);
  await eventually(() => expect(disconnected).toEqual([colleague.userId]));
});

test('Centrifugo closes the connections of people without a second factor at once when it is required', async () => {
  const owner = await app.freshCompany();
  const colleague = await app.freshPerson(owner, 'editor');
  const { secret } = (await owner.call('POST', '/account/authenticator')).data;
  const code = totpCode(secret, app.clock.now.getTime());
  expect((await owner.call('PUT', '/account/authenticator', { code })).status).toBe(200);
  const required = { second_factor_required: true };
  expect((await owner.call('PUT', `/company/${owner.companyId}`, required)).status).toBe(200);
  await eventually(() => expect(disconnected).toContain(colleague.userId));
  expect(disconnected).not.toContain(owner.userId);
});

test('Centrifugo closes the connections of an operator’s view that has ended', async () => {
  const owner = await app.freshCompany();
  const token = await viewerTokenOf(app, owner.companyId);
  const headers = { authorization: `Bearer ${token}` };
  const ended = await app.http.inject({ method: 'DELETE', url: '/api/internal/viewer_session', headers });
  expect(ended.statusCode).toBe(200);
  await eventually(() => expect(disconnected).toEqual([owner.userId]));
});
