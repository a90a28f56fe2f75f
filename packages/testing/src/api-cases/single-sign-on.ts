import type { TestApp, TestCompany } from '../test-app.ts';
import { signOnOf } from '../sso/sign-on.ts';
import { type Call, type Case, get } from './case.ts';
import { visitorsOf } from './visitors.ts';

/** Cases for the single sign-on of a company and of people. */
export function ssoCases(app: TestApp): Record<string, Case> {
  return { ...settingCases(app), ...domainCases(app), ...signInCases(app) };
}

/** A call that the limit of calls to providers rejects. */
const flooded =
  (app: TestApp, method: 'POST' | 'PUT') =>
  async ({ path, body }: Call, { token }: TestCompany) => {
    const headers = { authorization: `Bearer ${token}` };
    const call = { method, url: `/api/internal${path}`, headers, ...(body && { payload: body }) };
    for (let n = 0; n < 30; n += 1) await app.http.inject(call);
    return call;
  };

function settingCases(app: TestApp): Record<string, Case> {
  const { input } = signOnOf(app);
  return {
    'GET /api/internal/sso': get('/sso'),
    'PUT /api/internal/sso': {
      good: () => ({ path: '/sso', body: input() }),
      others: { 429: flooded(app, 'PUT') },
    },
    'DELETE /api/internal/sso': get('/sso'),
  };
}

function domainCases(app: TestApp): Record<string, Case> {
  const { freshDomain, listed } = signOnOf(app);
  return {
    'POST /api/internal/sso/domains': {
      good: () => ({ path: '/sso/domains', body: { domain: freshDomain() } }),
      conflict: (good) => good,
    },
    'POST /api/internal/sso/domains/{uuid}/verification': {
      async good(company) {
        const { uuid } = await listed(company, { isProven: true });
        return { path: `/sso/domains/${uuid}/verification` };
      },
      async conflict(_good, company) {
        const { uuid } = await listed(company, { isProven: false });
        return { path: `/sso/domains/${uuid}/verification` };
      },
      others: { 429: flooded(app, 'POST') },
    },
    'DELETE /api/internal/sso/domains/{uuid}': {
      async good(company) {
        const { uuid } = await listed(company, { isProven: false });
        return { path: `/sso/domains/${uuid}` };
      },
    },
  };
}

function signInCases(app: TestApp): Record<string, Case> {
  const { setUp, begun } = signOnOf(app);
  const { captchaPass, flooded: floodedByVisitors } = visitorsOf(app);
  const callback = '/api/internal/sso/callback';
  return {
    'GET /api/internal/sso/link': get('/sso/link'),
    'POST /api/internal/sso/link': {
      async good(company) {
        await setUp(company);
        return { path: '/sso/link' };
      },
      others: {
        409: async (good) => {
          const { token } = await app.freshCompany();
          const headers = { authorization: `Bearer ${token}` };
          return { method: 'POST', url: `/api/internal${good.path}`, headers };
        },
        429: flooded(app, 'POST'),
      },
    },
    'POST /api/internal/sso/sign-in': {
      async good(company) {
        const { domain } = await setUp(company);
        return { path: '/sso/sign-in', body: { email: `ada@${domain}` }, cookies: await captchaPass() };
      },
      others: { 429: floodedByVisitors('POST /api/internal/sso/sign-in', { email: 'ada@unknown.example' }) },
    },
    'POST /api/internal/sso/callback': {
      async good(company) {
        const { domain } = await setUp(company);
        return begun(company, { sub: domain, email: `ada@${domain}`, email_verified: true });
      },
      // A person links an identity that is linked to a colleague's account.
      async conflict(_good, company) {
        const { domain } = await setUp(company);
        const claims = { sub: domain, email: `ada@${domain}`, email_verified: true };
        const first = await begun(company, claims);
        await app.http.inject({
          method: 'POST',
          url: callback,
          payload: first.body!,
          cookies: first.cookies!,
        });
        return begun(company, claims, company);
      },
      others: {
        429: floodedByVisitors(`POST ${callback}`, {
          company_uuid: '01890000-0000-7000-8000-000000000000',
          query: 'state=unknown',
        }),
      },
    },
  };
}
