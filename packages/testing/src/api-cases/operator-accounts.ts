import type { SignInSession } from '@bidwell/contract/accounts/sign-in';
import { startOperatorSession } from '@bidwell/server/modules/identity/operators/login';
import type { InjectOptions } from 'fastify';
import type { TestApp } from '../test-app.ts';
import { type Body, type Call, type Case, freshAddress, get, inOperator } from './case.ts';

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
    ...ownSignInCases(app),
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

/** Cases for the calls on how an operator signs in, which the holder of OPERATOR_TOKEN gets 404 for. */
function ownSignInCases(app: TestApp): Record<string, Case> {
  const own = (path: string, body?: Body, others: Case['others'] = {}): Case => ({
    good: async () => ({ path, cookies: await operatorCookies(app), ...(body && { body }) }),
    nothing: (call) => ({ path: call.path, ...(call.body && { body: call.body }) }),
    others,
  });
  const ending = repeated(app, 'DELETE', { method: 'POST', path: '/session/confirmation' });
  const proving = repeated(app, 'POST', { method: 'DELETE', path: '/session/sessions' });
  return {
    'GET /api/operator/session/sessions': own('/session/sessions'),
    'DELETE /api/operator/session/sessions': own('/session/sessions', undefined, { 409: ending }),
    'DELETE /api/operator/session/sessions/{uuid}': {
      ...own('/session/sessions', undefined, { 409: ending }),
      async good() {
        const call = { cookies: await operatorCookies(app) };
        const { uuid } = (await app.http.inject({ ...call, url: '/api/operator/session' })).json().data;
        await startOperatorSession(app.ctx.db, uuid, app.clock.now);
        const listed = await app.http.inject({ ...call, url: '/api/operator/session/sessions' });
        const other = listed.json().data.sessions.find(({ is_current: isOwn }: SignInSession) => !isOwn);
        return { ...call, path: `/session/sessions/${other.uuid}` };
      },
    },
    'POST /api/operator/session/confirmation': own(
      '/session/confirmation',
      { password: PASSWORD },
      { 409: proving },
    ),
    'GET /api/operator/session/second-factors': own('/session/second-factors'),
    'POST /api/operator/session/recovery-codes': own('/session/recovery-codes'),
  };
}

/** The cookies of a new operator who is logged in. */
export async function operatorCookies(app: TestApp): Promise<Record<string, string>> {
  const { headers } = await app.freshOperator('viewer');
  const [name = '', value = ''] = headers['cookie']!.split('=');
  return { [name]: value };
}

/** The call of an operator under an idempotency key that they used with `first`. */
export function repeated(
  app: TestApp,
  method: 'POST' | 'PUT' | 'DELETE',
  first: { method: 'POST' | 'DELETE'; path: string },
) {
  return async ({ path, body, cookies = {} }: Call): Promise<InjectOptions> => {
    const sent = { headers: { 'idempotency-key': 'own-sign-in' }, cookies, remoteAddress: freshAddress() };
    await app.http.inject({
      ...sent,
      method: first.method,
      url: `/api/operator${first.path}`,
      ...(first.method === 'POST' && { payload: { password: PASSWORD } }),
    });
    return { ...sent, method, url: `/api/operator${path}`, ...(body && { payload: body }) };
  };
}
