import type { InjectOptions } from 'fastify';
import type { TestApp } from '../test-app.ts';
import { type Call, type Case, freshAddress, get, inOperator } from './case.ts';

const PASSWORD = 'a long passphrase';

/** Cases for the calls on operators' accounts. */
export function operatorAccountCases(app: TestApp): Record<string, Case> {
  const anOperator = async (login: string): Promise<string> => {
    const body = { login, name: 'Case Operator', role: 'viewer', password: PASSWORD };
    return (await app.operator('POST', '/operators', body)).data.uuid;
  };
  const logIn = (login: string, password: string, remoteAddress = freshAddress()): InjectOptions => ({
    method: 'POST',
    url: '/api/operator/session',
    payload: { login, password, code: '000000' },
    remoteAddress,
  });
  return {
    'GET /api/operator/session': get('/session'),
    'DELETE /api/operator/session': get('/session'),
    'POST /api/operator/session': {
      async good() {
        await anOperator('case.login');
        return { path: '/session', body: { login: 'case.login', password: PASSWORD } };
      },
      others: {
        401: async () => logIn('case.login', 'wrong'),
        async 429() {
          const address = freshAddress();
          for (let n = 0; n < 10; n += 1) await app.http.inject(logIn('case.limited', 'wrong', address));
          return logIn('case.limited', 'wrong', address);
        },
      },
    },
    'GET /api/operator/operators': get('/operators'),
    'POST /api/operator/operators': inOperator(
      () => '/operators',
      { login: 'case.added', name: 'Case Operator', role: 'finance', password: PASSWORD },
      { conflict: (good) => good },
    ),
    'PATCH /api/operator/operators/{uuid}': inOperator(
      async () => `/operators/${await anOperator('case.changed')}`,
      { role: 'moderator' },
    ),
    'GET /api/operator/acts': {
      ...get('/acts'),
      invalid: (good: Call) => ({ ...good, path: '/acts?page=first' }),
    },
  };
}
