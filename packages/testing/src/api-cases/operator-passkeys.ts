import { limits } from '@bidwell/contract/lib/limits';
import { deletePasskeysOf } from '@bidwell/server/modules/identity/passkeys/passkey-store';
import { softwareAuthenticator } from '../sign-in/software-authenticator.ts';
import type { TestApp } from '../test-app.ts';
import { type Call, type Case, freshAddress } from './case.ts';
import { operatorCookies, repeated } from './operator-accounts.ts';
import { insertPasskeys } from './passkeys.ts';
import { visitorsOf } from './visitors.ts';

const ORIGIN = 'http://bidwell.test';
const PASSKEYS = '/session/passkeys';

type Cookies = Record<string, string>;

/** Cases for the calls on an operator's passkeys, which the holder of OPERATOR_TOKEN gets 404 for, and for logins by them. */
export function operatorPasskeyCases(app: TestApp): Record<string, Case> {
  const send = senderOf(app);
  const made = async (cookies: Cookies, authenticator = softwareAuthenticator(ORIGIN)) =>
    authenticator.create((await send(`${PASSKEYS}/creation`, cookies)).data);
  const added = async () => {
    const cookies = await operatorCookies(app);
    const authenticator = softwareAuthenticator(ORIGIN);
    const credential = await made(cookies, authenticator);
    const { uuid }: { uuid: string } = (await send(PASSKEYS, cookies, { name: 'Phone', credential })).data;
    return { cookies, authenticator, uuid };
  };
  const accountOf = async (cookies: Cookies): Promise<string> =>
    (await app.http.inject({ url: '/api/operator/session', cookies })).json().data.uuid;
  const nothing = ({ path, body }: Call): Call => ({ path, ...(body && { body }) });
  const first = { method: 'DELETE', path: '/session/sessions' } as const;
  const one = (method: 'PUT' | 'DELETE', body?: { name: string }): Case => ({
    async good() {
      const { cookies, uuid } = await added();
      return { path: `${PASSKEYS}/${uuid}`, cookies, ...(body && { body }) };
    },
    nothing,
    others: { 409: repeated(app, method, first) },
  });
  return {
    ...loginCases(app, send, added),
    [`GET /api/operator${PASSKEYS}`]: {
      good: async () => ({ path: PASSKEYS, cookies: await operatorCookies(app) }),
      nothing,
    },
    [`POST /api/operator${PASSKEYS}/creation`]: {
      good: async () => ({ path: `${PASSKEYS}/creation`, cookies: await operatorCookies(app) }),
      nothing,
      async conflict(good) {
        await insertPasskeys(app, await accountOf(good.cookies!), limits.passkeysMax);
        return good;
      },
    },
    [`POST /api/operator${PASSKEYS}`]: {
      async good() {
        const cookies = await operatorCookies(app);
        return { path: PASSKEYS, cookies, body: { name: 'Phone', credential: await made(cookies) } };
      },
      nothing,
      async conflict(good) {
        await insertPasskeys(app, await accountOf(good.cookies!), limits.passkeysMax);
        return good;
      },
    },
    [`PUT /api/operator${PASSKEYS}/{uuid}`]: one('PUT', { name: 'Laptop' }),
    [`DELETE /api/operator${PASSKEYS}/{uuid}`]: one('DELETE'),
    'POST /api/operator/session/confirmation/passkey': {
      good: async () => ({ path: '/session/confirmation/passkey', cookies: (await added()).cookies }),
      nothing,
      async conflict(good) {
        await deletePasskeysOf(app.ctx.db, await accountOf(good.cookies!));
        return good;
      },
    },
  };
}

/** Sends calls with cookies, and resolves to the response with the cookies after it. */
function senderOf(app: TestApp) {
  return async (path: string, cookies: Cookies, payload?: object) => {
    const url = `/api/operator${path}`;
    const from = { cookies, remoteAddress: freshAddress() };
    const response = await app.http.inject({ ...from, method: 'POST', url, ...(payload && { payload }) });
    const set = response.cookies.map(({ name, value }) => [name, value]);
    return { data: response.json().data, cookies: { ...cookies, ...Object.fromEntries(set) } };
  };
}

function loginCases(
  app: TestApp,
  send: ReturnType<typeof senderOf>,
  added: () => Promise<{ authenticator: ReturnType<typeof softwareAuthenticator> }>,
): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  /** The calls have the body of the good one, as others are not counted. */
  const floodedAt = (path: string) => async (good: Call) =>
    flooded(`POST /api/operator${path}`, good.body ?? {})();
  const options = (path: string): Case => ({
    good: () => ({ path }),
    others: { 429: floodedAt(path) },
  });
  const alone = '/session/passkey';
  const second = '/session/second-factor/passkey/options';
  return {
    [`POST /api/operator${alone}/options`]: options(`${alone}/options`),
    [`POST /api/operator${second}`]: options(second),
    [`POST /api/operator${alone}`]: {
      async good() {
        const { authenticator } = await added();
        const { data, cookies } = await send(`${alone}/options`, {});
        return { path: alone, body: { credential: authenticator.get(data) }, cookies };
      },
      others: { 429: floodedAt(alone) },
    },
  };
}
