import { startSession } from '@bidwell/server/modules/identity/service';
import { totpCode } from '@bidwell/server/modules/identity/sign-in/totp';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get } from './case.ts';
import { begunLogin, passkeyCases } from './passkeys.ts';
import { visitorsOf } from './visitors.ts';

/** Cases for how a person signs in. */
export function signInCases(app: TestApp): Record<string, Case> {
  const anotherSession = async (company: TestCompany): Promise<string> => {
    await startSession(app.ctx, company);
    const { data } = await company.call('GET', '/account/sessions');
    return data.sessions.find((session: { is_current: boolean }) => !session.is_current).uuid;
  };
  return {
    ...authenticatorCases(app),
    ...passkeyCases(app),
    'GET /api/internal/account/sessions': get('/account/sessions'),
    'DELETE /api/internal/account/sessions': get('/account/sessions'),
    'DELETE /api/internal/account/sessions/{uuid}': {
      isOfCaller: true,
      good: async (company) => ({ path: `/account/sessions/${await anotherSession(company)}` }),
    },
    'POST /api/internal/account/confirmation': {
      isOfCaller: true,
      good: () => ({ path: '/account/confirmation', body: { password: 'correct horse' } }),
      others: {
        429: async (good, { token }) => {
          const call = {
            method: 'POST' as const,
            url: `/api/internal${good.path}`,
            payload: { password: 'a guess' },
            headers: { authorization: `Bearer ${token}` },
          };
          for (let n = 0; n < 10; n += 1) await app.http.inject(call);
          return call;
        },
      },
    },
  };
}

function authenticatorCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  const path = '/account/authenticator';
  /** A secret that was started, and the code that its app shows. */
  const started = async (company: TestCompany): Promise<{ code: string }> => {
    const { data } = await company.call('POST', path);
    return { code: totpCode(data.secret, app.clock.now.getTime()) };
  };
  /** Sets up an app; resolves to a recovery code. */
  const enrolled = async (company: TestCompany): Promise<string> =>
    (await company.call('PUT', path, await started(company))).data.recovery_codes[0];
  const conflict = (good: Call): Call => good;
  return {
    'GET /api/internal/account/second-factors': get('/account/second-factors'),
    'POST /api/internal/account/authenticator': {
      isOfCaller: true,
      good: () => ({ path }),
      async conflict(good, company) {
        await enrolled(company);
        return good;
      },
    },
    'PUT /api/internal/account/authenticator': {
      isOfCaller: true,
      good: async (company) => ({ path, body: await started(company) }),
      conflict,
      others: {
        429: async (good, { token }) => {
          const call = {
            method: 'PUT' as const,
            url: `/api/internal${good.path}`,
            payload: { code: '000000' },
            headers: { authorization: `Bearer ${token}` },
          };
          for (let n = 0; n < 10; n += 1) await app.http.inject(call);
          return call;
        },
      },
    },
    'DELETE /api/internal/account/authenticator': {
      isOfCaller: true,
      async good(company) {
        await enrolled(company);
        return { path };
      },
      conflict,
    },
    'POST /api/internal/account/recovery-codes': {
      isOfCaller: true,
      async good(company) {
        await enrolled(company);
        return { path: '/account/recovery-codes' };
      },
      async conflict(good, company) {
        await company.call('DELETE', path);
        return good;
      },
    },
    'POST /api/internal/login/second-factor': {
      async good(company) {
        const code = await enrolled(company);
        const step = await begunLogin(app, company);
        return { path: '/login/second-factor', body: { code }, cookies: { bidwell_login: step } };
      },
      others: { 429: flooded('POST /api/internal/login/second-factor', { code: '000000' }) },
    },
  };
}
