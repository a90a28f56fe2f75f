import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { logout } from '../../modules/identity/service.ts';
import { totpCode } from '../../modules/identity/sign-in/totp.ts';
import { login } from '../../modules/identity/sign-in/login.ts';
import { eventually } from '@bidwell/testing/eventually';

const app = await testApp();
let port = 0;
beforeAll(async () => {
  await app.listen();
  port = (app.http.server.address() as AddressInfo).port;
});

/** A raw client; `closed` resolves with the code that its connection ends with. */
async function open(token?: string) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/connection/websocket`);
  const closed = once(socket, 'close').then(([code]) => code as number);
  await once(socket, 'open');
  if (token !== undefined) {
    const responded = once(socket, 'message');
    socket.send(JSON.stringify({ id: 1, connect: { token } }));
    await responded;
  }
  return { socket, closed };
}

async function logInAgain(company: TestCompany) {
  const { data: user } = await company.call('GET', `/users/${company.userId}`);
  const { session } = await login(app.ctx, { login: user.login, password: 'correct horse' }, '192.0.2.1');
  return { ...session!, ...(await open(session!.tokens.access_token)) };
}

test('a logout closes the connections of its session, and no others', async () => {
  const company = await app.freshCompany();
  const stays = await open(company.token);
  const leaves = await logInAgain(company);
  await logout(app.ctx, leaves.refreshToken);
  expect(await leaves.closed).toBe(3500);
  const again = await open();
  again.socket.send(JSON.stringify({ id: 1, connect: { token: leaves.tokens.access_token } }));
  expect(String((await once(again.socket, 'message'))[0])).toContain('"code":109');
  expect(stays.socket.readyState).toBe(WebSocket.OPEN);
});

test('logging out everywhere closes the connections of every device', async () => {
  const company = await app.freshCompany();
  const [one, other] = [await logInAgain(company), await logInAgain(company)];
  await logout(app.ctx, one.refreshToken, { everywhere: true });
  expect([await one.closed, await other.closed]).toEqual([3500, 3500]);
});

test('a new password closes the connections of the other devices', async () => {
  const company = await app.freshCompany();
  const elsewhere = await logInAgain(company);
  const here = await logInAgain(company);
  const { payload } = await app.http.inject({
    method: 'PUT',
    url: `/api/internal/users/${company.userId}`,
    headers: { authorization: `Bearer ${here.tokens.access_token}` },
    payload: {
      email: 'a@example.com',
      first_name: 'A',
      last_name: 'B',
      contact: 'c',
      password: 'battery staple',
      password_confirmation: 'battery staple',
    },
  });
  expect(JSON.parse(payload)).toMatchObject({ data: { uuid: company.userId } });
  expect(await elsewhere.closed).toBe(3500);
  expect(here.socket.readyState).toBe(WebSocket.OPEN);
});

test('the connections of a removed person, and of one without the second factor that is required since, are closed', async () => {
  const owner = await app.freshCompany();
  const people = [await app.freshPerson(owner, 'editor'), await app.freshPerson(owner, 'editor')] as const;
  const [removed, unenrolled] = [await open(people[0].token), await open(people[1].token)];
  expect((await owner.call('DELETE', `/people/${people[0].userId}`)).status).toBe(200);
  expect(await removed.closed).toBe(3500);
  expect(unenrolled.socket.readyState).toBe(WebSocket.OPEN);
  const { secret } = (await owner.call('POST', '/account/authenticator')).data;
  const code = totpCode(secret, app.clock.now.getTime());
  expect((await owner.call('PUT', '/account/authenticator', { code })).status).toBe(200);
  const stays = await open(owner.token);
  const required = { second_factor_required: true };
  expect((await owner.call('PUT', `/company/${owner.companyId}`, required)).status).toBe(200);
  expect(await unenrolled.closed).toBe(3500);
  expect(stays.socket.readyState).toBe(WebSocket.OPEN);
});

test('a reader that is too slow is disconnected with its close code, and the others are not', async () => {
  const company = await app.freshCompany();
  const quick = await open(company.token);
  const slow = await open(company.token);
  let arrived = 0;
  quick.socket.on('message', () => (arrived += 1));
  slow.socket.pause();
  const message = {
    type: 'notification',
    kind: 'note',
    uuid: company.companyId,
    title: 'News',
    text: 'x'.repeat(65_536),
  } as const;
  // The server closes the connection and, if the reader does not respond in time, ends it without a code.
  const closing = vi.spyOn(WebSocket.prototype, 'close');
  // More than the kernel buffers for a connection.
  for (let sent = 0; sent < 400 && closing.mock.calls.length === 0;) {
    for (let one = 0; one < 8; one += 1, sent += 1) app.ctx.realtime.toCompany(company.companyId, message);
    const all = sent;
    await eventually(() => expect(arrived).toBe(all));
  }
  slow.socket.resume();
  expect(await slow.closed).toBe(3008);
  expect(quick.socket.readyState).toBe(WebSocket.OPEN);
});

test('a closing server asks its clients to reconnect', async () => {
  const { token } = await app.freshCompany();
  const sockets = [await open(token), await open(token), await open()];
  const [codes] = await Promise.all([Promise.all(sockets.map(({ closed }) => closed)), app.close()]);
  expect(codes).toEqual([3001, 3001, 3001]);
});
