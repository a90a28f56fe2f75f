import { startSession } from '@bidwell/server/modules/accounts/service';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Case, get } from './case.ts';

/** Cases for how a person signs in. */
export function signInCases(app: TestApp): Record<string, Case> {
  const anotherSession = async (company: TestCompany): Promise<string> => {
    await startSession(app.ctx, company);
    const { data } = await company.call('GET', '/account/sessions');
    return data.sessions.find((session: { is_current: boolean }) => !session.is_current).uuid;
  };
  return {
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
