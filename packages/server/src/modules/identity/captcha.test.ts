import { expect, test } from 'vitest';
import { CPU_QUEUE_LIMITS, passwordQueue } from '../../platform/concurrency/cpu-queues.ts';
import { solvedCaptcha } from '@bidwell/testing/captcha';
import { holdQueue } from '@bidwell/testing/held-queue';
import { testApp } from '@bidwell/testing/test-app';

const app = await testApp({ CAPTCHA: 'altcha' });

const error = {
  data: 'Please complete the reCAPTCHA verification',
  errors: [{ field: 'captcha', message: 'Please complete the reCAPTCHA verification' }],
};
const person = { email: 'ada@example.com', password: 'engine', first_name: 'Ada', contact: '@ada' };

async function post(path: string, payload: object, captchaPass?: string) {
  const cookies: Record<string, string> = captchaPass ? { bidwell_captcha: captchaPass } : {};
  return app.http.inject({ method: 'POST', url: `/api/internal${path}`, payload, cookies });
}

async function pass(): Promise<string> {
  const response = await post('/captcha', { captcha: await solvedCaptcha(app) });
  expect(response.json()).toEqual({ data: { verified: true } });
  const cookie = response.cookies.find(({ name }) => name === 'bidwell_captcha');
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' });
  return cookie!.value;
}

test('a solved captcha is valid for one registration and another for one login', async () => {
  const registration = { ...person, login: 'ada.lovelace' };
  const without = await post('/registration', registration);
  expect(without.statusCode).toBe(422);
  expect(without.json()).toEqual(error);

  const first = await pass();
  expect((await post('/registration', registration, first)).statusCode).toBe(201);
  const credentials = { login: 'ada.lovelace', password: 'engine' };
  expect((await post('/login', credentials, first)).json()).toEqual(error);
  const second = await pass();
  expect((await post('/login', credentials, second)).statusCode).toBe(200);
  expect((await post('/login', credentials, second)).json()).toEqual(error);
});

test('a solution works once', async () => {
  const captcha = await solvedCaptcha(app);
  expect((await post('/captcha', { captcha })).statusCode).toBe(200);
  expect((await post('/captcha', { captcha })).json()).toEqual(error);
});

test('a captcha pass expires after ten minutes', async () => {
  const late = await pass();
  const logIn = () => post('/login', { login: 'ada.lovelace', password: 'engine' }, late);
  expect((await app.after(601_000, logIn)).json()).toEqual(error);
});

test('an invalid solution is rejected', async () => {
  const easier = await solvedCaptcha(app, ({ challenge }) => {
    challenge.parameters.expiresAt = 4e9;
  });
  const unsigned = await solvedCaptcha(app, ({ challenge }) => {
    delete challenge.signature;
  });
  const json = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
  const wrong = ['x', json(null), json({}), json({ challenge: null, solution: 1 }), easier, unsigned];
  for (const captcha of wrong) {
    const response = await post('/captcha', { captcha });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual(error);
  }
  expect((await post('/captcha', {})).json()).toEqual(error);
});

test('a call without a captcha is refused before any password is hashed', async () => {
  const free = await holdQueue(passwordQueue, CPU_QUEUE_LIMITS.passwords);
  try {
    for (const [path, body] of [
      ['/login', { login: 'ada.lovelace', password: 'engine' }],
      ['/registration', { ...person, login: 'ada.king' }],
    ] as const)
      expect((await post(path, body)).json()).toEqual(error);
    expect(passwordQueue.waiting).toBe(0);
  } finally {
    free();
  }
});

test('an address beyond its limit is refused before any password is hashed', async () => {
  const free = await holdQueue(passwordQueue, CPU_QUEUE_LIMITS.passwords);
  const logIn = async () =>
    app.http.inject({
      method: 'POST',
      url: '/api/internal/login',
      payload: { login: 'ada.lovelace', password: 'engine' },
      remoteAddress: '10.4.0.1',
    });
  try {
    for (let call = 0; call < 60; call += 1) await logIn();
    expect((await logIn()).statusCode).toBe(429);
    expect(passwordQueue.waiting).toBe(0);
  } finally {
    free();
  }
});
