import { hashToken, newSecretToken } from '@bidwell/server/modules/identity/sessions/access-tokens';
import { confirmationToken } from '@bidwell/server/modules/identity/address-confirmation';
import { findUserOfAnyCompany, updateUser } from '@bidwell/server/modules/identity/store';
import { solvedCaptcha } from '../captcha.ts';
import type { TestApp } from '../test-app.ts';
import { type Case, freshAddress, get, multipart } from './case.ts';
import { visitorsOf } from './visitors.ts';

/** Cases for the session and the user. */
export function accountCases(app: TestApp): Record<string, Case> {
  const { registration, captchaPass, flooded, freshLogin, loggedIn } = visitorsOf(app);
  return {
    'GET /api/internal/captcha': {
      ...get('/captcha'),
      others: { 429: flooded('GET /api/internal/captcha') },
    },
    'POST /api/internal/captcha': {
      good: async () => ({
        path: '/captcha',
        body: { captcha: await solvedCaptcha(app, undefined, freshAddress()) },
      }),
      others: { 429: flooded('POST /api/internal/captcha', { captcha: 'x' }) },
    },
    'POST /api/internal/registration': {
      good: async () => ({
        path: '/registration',
        body: registration(freshLogin()),
        cookies: await captchaPass(),
      }),
      conflict: async (good) => ({ ...good, cookies: await captchaPass() }),
      others: { 429: flooded('POST /api/internal/registration', registration('flood.er')) },
    },
    'POST /api/internal/login': {
      good: async (company) => ({
        path: '/login',
        body: { login: company.login, password: 'correct horse' },
        cookies: await captchaPass(),
      }),
      others: { 429: flooded('POST /api/internal/login', { login: 'nobody.here', password: 'x' }) },
    },
    ...passwordResetCases(app),
    'POST /api/internal/refresh-token': {
      good: async (company) => ({ ...(await loggedIn(company)), path: '/refresh-token' }),
      others: { 401: async () => ({ method: 'POST', url: '/api/internal/refresh-token' }) },
    },
    'POST /api/internal/logout': {
      good: async (company) => ({
        ...(await loggedIn(company)),
        path: '/logout',
        body: { everywhere: true },
      }),
    },
    'GET /api/internal/users/{user_id}': {
      isOfCaller: true,
      good: ({ userId }) => ({ path: `/users/${userId}` }),
    },
    'PUT /api/internal/company/{uid}': {
      good: ({ companyId }) => ({
        path: `/company/${companyId}`,
        body: { name: 'New', time_zone: 'Europe/Berlin' },
      }),
    },
    'PUT /api/internal/users/{user_id}': {
      isOfCaller: true,
      good: ({ userId }) => ({
        path: `/users/${userId}`,
        body: { email: 'a@example.com', first_name: 'A', last_name: 'B', contact: 'c' },
      }),
      others: {
        413: async (good, company) =>
          multipart('PUT', good.path, company, {
            avatar: { name: 'a.png', content: Buffer.alloc(2.1 * 1024 * 1024) },
          }),
        429: async (good, company) => {
          const passwords = { password: 'battery staple', password_confirmation: 'battery staple' };
          const body = { ...good.body, ...passwords, current_password: 'a guess' };
          const guess = {
            method: 'PUT' as const,
            url: `/api/internal${good.path}`,
            payload: body,
            headers: { authorization: `Bearer ${company.token}` },
            remoteAddress: freshAddress(),
          };
          for (let n = 0; n < 10; n += 1) await app.http.inject(guess);
          return guess;
        },
      },
    },
  };
}

/** Cases for the read-only sessions of operators. */
export function viewerCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  return {
    'POST /api/internal/viewer_session': {
      async good({ companyId }) {
        const { data } = await app.operator('POST', `/companies/${companyId}/viewer_sessions`);
        return { path: '/viewer_session', body: { code: data.address.split('#')[1] } };
      },
      others: {
        401: async () => ({
          method: 'POST',
          url: '/api/internal/viewer_session',
          payload: { code: 'unknown' },
        }),
        429: flooded('POST /api/internal/viewer_session', { code: 'unknown' }),
      },
    },
    'DELETE /api/internal/viewer_session': get('/viewer_session'),
  };
}

/** Cases for links for new passwords. */
function passwordResetCases(app: TestApp): Record<string, Case> {
  const { captchaPass, flooded } = visitorsOf(app);
  return {
    'GET /api/internal/password-reset': {
      ...get('/password-reset'),
      others: { 429: flooded('GET /api/internal/password-reset') },
    },
    'POST /api/internal/password-reset': {
      good: async (company) => ({
        path: '/password-reset',
        body: { login: company.login },
        cookies: await captchaPass(),
      }),
      others: { 429: flooded('POST /api/internal/password-reset', { login: 'nobody.here' }) },
    },
    'POST /api/internal/email-confirmation': {
      good: async ({ userId }) => {
        const { email } = (await findUserOfAnyCompany(app.ctx.db, userId))!;
        const owner = { kind: 'person_address', uuid: userId } as const;
        const token = confirmationToken(app.ctx.config, owner, email);
        return { path: '/email-confirmation', body: { token } };
      },
      others: { 429: flooded('POST /api/internal/email-confirmation', { token: 'x' }) },
    },
    'POST /api/internal/account/email-confirmation': {
      good: async ({ userId }) => {
        await updateUser(app.ctx.db, userId, { email: 'unconfirmed@example.com', email_confirmed_at: null });
        return { path: '/account/email-confirmation' };
      },
      others: {
        429: async (good, { token }) => {
          const request = {
            method: 'POST' as const,
            url: `/api/internal${good.path}`,
            headers: { authorization: `Bearer ${token}` },
            remoteAddress: freshAddress(),
          };
          for (let n = 0; n < 10; n += 1) await app.http.inject(request);
          return request;
        },
      },
    },
    'POST /api/internal/password-reset/confirm': {
      good: async ({ userId }) => {
        const token = newSecretToken();
        await app.ctx.db
          .insertInto('password_resets')
          .values({
            token_hash: hashToken(token),
            user_uuid: userId,
            created_at: new Date(),
            expires_at: new Date(Date.now() + 3_600_000),
          })
          .execute();
        return { path: '/password-reset/confirm', body: { token, password: 'battery staple' } };
      },
      others: {
        429: flooded('POST /api/internal/password-reset/confirm', { token: 'x', password: 'battery staple' }),
      },
    },
  };
}
