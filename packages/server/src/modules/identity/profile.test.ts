import sharp from 'sharp';
import { expect, test } from 'vitest';
import { changesOf } from '@bidwell/testing/advertising';
import { storedFiles } from '@bidwell/testing/files/stored-files';
import { softwareAuthenticator } from '@bidwell/testing/sign-in/software-authenticator';
import { signOnOf } from '@bidwell/testing/sso/sign-on';
import { testApp } from '@bidwell/testing/test-app';
import { refresh, startSession } from './service.ts';
import { login } from './sign-in/login.ts';

const app = await testApp();

const profile = { email: 'new@example.com', first_name: 'Grace', last_name: 'Hopper', contact: '@grace' };

/** Moves the clock on, so that the login is no recent proof any more. */
function later(): void {
  app.clock.now = new Date(app.clock.now.getTime() + 11 * 60_000);
}

const picture = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } })
    .jpeg()
    .toBuffer();

test('a profile is updated by JSON, and the change log has the changes', async () => {
  const company = await app.freshCompany();
  const updated = await company.call('PUT', `/users/${company.userId}`, profile);
  expect(updated).toMatchObject({ status: 200, data: { ...profile, uuid: company.userId } });
  expect((await company.call('GET', `/users/${company.userId}`)).data).toEqual(updated.data);
  const [, change] = await changesOf(app, company, company.userId);
  expect(change).toMatchObject({ action: 'update', entity_type: 'user', author: 'Grace Hopper' });
  expect(change?.fields).toContainEqual({ field: 'first_name', before: 'Test', after: 'Grace' });
});

test('saving an unchanged profile logs nothing', async () => {
  const company = await app.freshCompany();
  await company.call('PUT', `/users/${company.userId}`, profile);
  await company.call('PUT', `/users/${company.userId}`, profile);
  expect(await changesOf(app, company, company.userId)).toHaveLength(2);
});

test('a picture is uploaded in a multipart form, is cropped to a square, and can be removed', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  const avatar = { name: 'me.jpg', content: await picture() };
  const { status, data } = await company.upload('PUT', path, { ...profile, avatar });
  expect(status).toBe(200);
  expect(data.avatar).toMatch(/^\/api\/internal\/file\/[\da-f-]{36}\.png$/);
  const shown = await app.http.inject({
    url: data.avatar,
    headers: { authorization: `Bearer ${company.token}` },
  });
  expect(shown.headers['content-type']).toBe('image/png');
  expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'png', width: 256, height: 256 });

  expect((await company.call('PUT', path, { ...profile, avatar: data.avatar })).data.avatar).toBe(
    data.avatar,
  );
  const removed = await company.call('PUT', path, { ...profile, avatar: null });
  expect(removed.data.avatar).toBeNull();
});

test('the picture of a person is shown to them in every company that they act for, and to no one else of the other one', async () => {
  const [company, other] = [await app.freshCompany(), await app.freshCompany()];
  const avatar = { name: 'me.jpg', content: await picture() };
  const { data } = await company.upload('PUT', `/users/${company.userId}`, { ...profile, avatar });
  await app.ctx.db
    .insertInto('memberships')
    .values({
      company_uuid: other.companyId,
      user_uuid: company.userId,
      role: 'editor',
      created_at: new Date(),
    })
    .execute();
  const opened = await company.call('POST', `/companies/${other.companyId}/session`);
  const statusFor = async (token: string) =>
    (await app.http.inject({ url: data.avatar, headers: { authorization: `Bearer ${token}` } })).statusCode;
  expect(await statusFor(opened.data.access_token)).toBe(200);
  expect(await statusFor(other.token)).toBe(404);
});

test('only the pixels of a picture are stored, without location or camera', async () => {
  const company = await app.freshCompany();
  const content = await sharp(await picture())
    .withExif({ IFD0: { Copyright: 'Grace' }, IFD3: { GPSLatitude: '51/1 30/1 0/1' } })
    .withIccProfile('p3')
    .toBuffer();
  expect(content.includes('Grace')).toBe(true);
  const form = { ...profile, avatar: { name: 'me.jpg', content } };
  const { data } = await company.upload('PUT', `/users/${company.userId}`, form);
  const headers = { authorization: `Bearer ${company.token}` };
  const shown = (await app.http.inject({ url: data.avatar, headers })).rawPayload;
  const { exif, icc, xmp, width, height } = await sharp(shown).metadata();
  expect({ exif, icc, xmp, width, height }).toEqual({ width: 256, height: 256 });
  expect(shown.includes('Grace')).toBe(false);
});

test('a picture with few bytes and very many pixels, and a vector image, are rejected', async () => {
  const company = await app.freshCompany();
  const before = await storedFiles(app);
  const huge = await sharp({ create: { width: 10_000, height: 5001, channels: 3, background: '#fff' } })
    .png()
    .toBuffer();
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d=""/></svg>',
  );
  for (const content of [huge, drawing]) {
    const avatar = { name: 'me.png', content };
    const response = await company.upload('PUT', `/users/${company.userId}`, { ...profile, avatar });
    expect(response).toMatchObject({
      status: 422,
      errors: [{ field: 'avatar', message: 'Invalid file type' }],
    });
  }
  expect(await storedFiles(app)).toEqual(before);
});

test('a replaced or removed picture is deleted', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  const before = await storedFiles(app);
  const form = { ...profile, avatar: { name: 'me.jpg', content: await picture() } };
  await company.upload('PUT', path, form);
  await company.upload('PUT', path, form);
  expect(await storedFiles(app)).toHaveLength(before.length + 1);
  await company.upload('PUT', path, { ...profile, avatar: '' });
  expect(await storedFiles(app)).toEqual(before);
});

test('an invalid picture is rejected, and not stored', async () => {
  const company = await app.freshCompany();
  const before = await storedFiles(app);
  const whole = await picture(400, 400);
  const contents = [Buffer.from('hello'), Buffer.alloc(0), whole.subarray(0, 300)];
  for (const content of contents) {
    const response = await company.upload('PUT', `/users/${company.userId}`, {
      ...profile,
      avatar: { name: 'me.png', content },
    });
    expect(response.status).toBe(422);
    expect(response.errors).toEqual([{ field: 'avatar', message: 'Invalid file type' }]);
  }
  expect(await storedFiles(app)).toEqual(before);
});

test('an avatar in JSON is a string or null', async () => {
  const company = await app.freshCompany();
  const { data: account } = await company.call('GET', `/users/${company.userId}`);
  const put = (avatar: unknown) => company.call('PUT', `/users/${company.userId}`, { ...account, avatar });
  for (const avatar of [5, true, {}, []])
    expect(await put(avatar)).toMatchObject({
      status: 422,
      errors: [{ field: 'avatar', message: 'Invalid file type' }],
    });
  for (const avatar of [undefined, null, '/api/internal/file/avatar.png'])
    expect((await put(avatar)).status).toBe(200);
});

test('a picture above 2 MB is too large', async () => {
  const company = await app.freshCompany();
  for (const bytes of [2 * 1024 * 1024 + 1, 9 * 1024 * 1024]) {
    const avatar = { name: 'me.png', content: Buffer.alloc(bytes) };
    const response = await company.upload('PUT', `/users/${company.userId}`, { ...profile, avatar });
    expect(response).toMatchObject({ status: 413, data: 'A picture may have at most 2 MB' });
  }
});

const wrongProfiles: [string, Record<string, string>, string, string][] = [
  ['no email', { email: '' }, 'email', 'Email is not valid!'],
  ['no last name', { last_name: '' }, 'last_name', 'Required'],
  ['no contact', { contact: ' ' }, 'contact', 'Required'],
  [
    'a short password',
    { password: '12345', password_confirmation: '12345' },
    'password',
    'Password is not valid! It should contain at least 6 characters',
  ],
  ['no confirmation', { password: 'secret1' }, 'password_confirmation', 'Please confirm your password'],
  [
    'another confirmation',
    { password: 'secret1', password_confirmation: 'secret2' },
    'password_confirmation',
    "Passwords don't match",
  ],
];
for (const [what, over, field, message] of wrongProfiles) {
  test(`a profile with ${what} is rejected, as JSON and as a form`, async () => {
    const company = await app.freshCompany();
    const path = `/users/${company.userId}`;
    for (const response of [
      await company.call('PUT', path, { ...profile, ...over }),
      await company.upload('PUT', path, { ...profile, ...over }),
    ]) {
      expect(response.status).toBe(422);
      expect(response.errors).toEqual([{ field, message }]);
    }
  });
}

test('a new password ends all other sessions, but not the one that changed it', async () => {
  const company = await app.freshCompany();
  const logInWith = async (password: string) =>
    app.http.inject({
      method: 'POST',
      url: '/api/internal/login',
      payload: { login: company.login, password },
    });
  const cookieOf = (response: Awaited<ReturnType<typeof logInWith>>) => ({
    bidwell_refresh_token: response.cookies.find(({ name }) => name === 'bidwell_refresh_token')!.value,
  });
  const renew = async (cookies: { bidwell_refresh_token: string }) =>
    (await app.http.inject({ method: 'POST', url: '/api/internal/refresh-token', cookies })).statusCode;

  const elsewhere = cookieOf(await logInWith('correct horse'));
  const here = await logInWith('correct horse');
  const changed = await app.http.inject({
    method: 'PUT',
    url: `/api/internal/users/${company.userId}`,
    headers: { authorization: `Bearer ${here.json<{ data: { access_token: string } }>().data.access_token}` },
    payload: { ...profile, password: 'battery staple', password_confirmation: 'battery staple' },
  });
  expect(changed.statusCode).toBe(200);
  expect(await renew(elsewhere)).toBe(401);
  expect(await renew(cookieOf(here))).toBe(200);
  expect((await logInWith('correct horse')).statusCode).toBe(422);
  expect((await logInWith('battery staple')).statusCode).toBe(200);
  const log = JSON.stringify(await changesOf(app, company, company.userId));
  expect(log).toContain('"password"');
  expect(log).not.toContain('battery');
  expect(log).not.toContain('argon2');
});

const newPassword = { password: 'battery staple', password_confirmation: 'battery staple' };

test('ten minutes after the login a new password needs the current one', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  await app.after(10 * 60_000 + 1000, async () => {
    expect((await company.call('PUT', path, profile)).status).toBe(200);
    for (const [current_password, message] of [
      [undefined, 'Please enter your current password'],
      ['', 'Please enter your current password'],
      ['wrong horse', 'The current password is wrong'],
    ])
      expect(await company.call('PUT', path, { ...profile, ...newPassword, current_password })).toMatchObject(
        {
          status: 422,
          errors: [{ field: 'current_password', message }],
        },
      );
    const form = { ...profile, ...newPassword, current_password: 'correct horse' };
    expect((await company.upload('PUT', path, form)).status).toBe(200);
  });
});

test('renewing a session does not make its login recent', async () => {
  const company = await app.freshCompany();
  const { session } = await login(app.ctx, { login: company.login, password: 'correct horse' }, '192.0.2.1');
  await app.after(11 * 60_000, async () => {
    const { tokens } = await refresh(app.ctx, session!.refreshToken);
    const response = await app.http.inject({
      method: 'PUT',
      url: `/api/internal/users/${company.userId}`,
      headers: { authorization: `Bearer ${tokens.access_token}` },
      payload: { ...profile, ...newPassword },
    });
    expect(response.statusCode).toBe(422);
  });
});

test('a session cannot be used to guess the password', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  const guess = { ...profile, ...newPassword, current_password: 'a guess' };
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect((await company.call('PUT', path, guess)).status).toBe(422);
  const right = { ...guess, current_password: 'correct horse' };
  expect(await company.call('PUT', path, right)).toMatchObject({ status: 429 });
});

test('a person may change the password ten times in ten minutes, from any session and address', async () => {
  const company = await app.freshCompany();
  const [first, second] = [await startSession(app.ctx, company), await startSession(app.ctx, company)];
  const change = async (number: number) => {
    const password = `a passphrase, number ${number}`;
    return app.http.inject({
      method: 'PUT',
      url: `/api/internal/users/${company.userId}`,
      headers: { authorization: `Bearer ${(number < 5 ? first : second).tokens.access_token}` },
      remoteAddress: `10.5.0.${number}`,
      payload: { ...profile, password, password_confirmation: password, current_password: 'a guess' },
    });
  };
  for (let number = 0; number < 10; number += 1) expect((await change(number)).statusCode).toBe(422);
  const rejected = await change(10);
  expect(rejected.statusCode).toBe(429);
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
  const other = await app.freshCompany();
  expect((await other.call('PUT', `/users/${other.userId}`, { ...profile, ...newPassword })).status).toBe(
    200,
  );
});

test('a person may upload twenty pictures in ten minutes', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  const form = { ...profile, avatar: { name: 'me.jpg', content: await picture() } };
  for (let upload = 0; upload < 20; upload += 1)
    expect((await company.upload('PUT', path, form)).status).toBe(200);
  expect(await company.upload('PUT', path, form)).toMatchObject({
    status: 429,
    data: 'Too many attempts. Please wait a moment.',
  });
  expect((await company.call('PUT', path, profile)).status).toBe(200);
});

test('a new password must not be a common one', async () => {
  const company = await app.freshCompany();
  const common = { password: 'password1', password_confirmation: 'password1' };
  expect(await company.call('PUT', `/users/${company.userId}`, { ...profile, ...common })).toMatchObject({
    status: 422,
    errors: [
      { field: 'password', message: 'This password is one of the most common ones. Please choose another' },
    ],
  });
});

test('a new password revokes the API tokens on request', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  await company.call('POST', '/api_tokens', { name: 'Script' });
  const tokens = async () => (await company.call('GET', '/api_tokens')).data.api_tokens.length;
  await company.call('PUT', path, { ...profile, revoke_api_tokens: true });
  await company.call('PUT', path, { ...profile, ...newPassword, revoke_api_tokens: false });
  expect(await tokens()).toBe(1);
  const form = { ...profile, ...newPassword, revoke_api_tokens: 'true' };
  expect((await company.upload('PUT', path, form)).status).toBe(200);
  expect(await tokens()).toBe(0);
  const { data } = await company.call('GET', `/company/${company.companyId}/changes`);
  expect(JSON.stringify(data)).toContain('"Script"');
});

test('users cannot change other profiles', async () => {
  const one = await app.freshCompany();
  const other = await app.freshCompany();
  expect((await one.call('PUT', `/users/${other.userId}`, profile)).status).toBe(404);
  expect((await other.call('GET', `/users/${other.userId}`)).data.first_name).toBe('Test');
});

test('a new mail address that opens no account is changed as the rest of the profile, and the person is notified', async () => {
  const company = await app.freshCompany();
  const path = `/users/${company.userId}`;
  later();
  expect((await company.call('PUT', path, profile)).status).toBe(200);
  expect((await company.call('PUT', path, { ...profile, contact: '@hopper' })).status).toBe(200);
  const { data: notices } = await company.call('GET', '/notifications');
  expect(notices.filter(({ title }: { title: string }) => title === 'Mail address changed')).toHaveLength(1);
});

test('a person with a second factor, and one whose company has a provider, prove themselves for a new mail address', async () => {
  const company = await app.freshCompany();
  const { data: options } = await company.call('POST', '/account/passkeys/creation');
  const credential = softwareAuthenticator('http://bidwell.test').create(options);
  expect((await company.call('POST', '/account/passkeys', { name: 'Phone', credential })).status).toBe(201);
  const connected = await app.freshCompany();
  await signOnOf(app).setUp(connected);
  later();
  for (const { call, userId } of [company, connected]) {
    expect((await call('PUT', `/users/${userId}`, profile)).status).toBe(403);
    await call('POST', '/account/confirmation', { password: 'correct horse' });
    expect((await call('PUT', `/users/${userId}`, profile)).status).toBe(200);
  }
});
