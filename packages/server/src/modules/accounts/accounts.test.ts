import { expect, test } from 'vitest';
import { testApp } from '../../testing/test-app.ts';

const app = await testApp();

const person = {
  login: 'ada.lovelace',
  email: 'ada@example.com',
  password: 'engine',
  first_name: 'Ada',
  contact: '@ada',
};

async function post(path: string, payload: object, cookies: Record<string, string> = {}) {
  return app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, cookies });
}

test('a visitor registers, logs in, and reads their own account', async () => {
  const registered = await post('/registration', person);
  expect(registered.statusCode).toBe(201);
  const loggedIn = await post('/login', { login: person.login, password: person.password });
  expect(loggedIn.statusCode).toBe(200);
  const { access_token: token, user_id: userId } = loggedIn.json<{
    data: { access_token: string; user_id: string };
  }>().data;
  const read = await app.http.inject({
    url: `/api/internal/users/${userId}`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(read.json()).toMatchObject({
    data: { login: 'ada.lovelace', first_name: 'Ada', company: { name: 'Ada', time_zone: 'UTC' } },
  });
});
