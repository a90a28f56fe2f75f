import type { CreatedPasskey } from '@bidwell/contract/accounts/passkey';
import { limits } from '@bidwell/contract/lib/limits';
import { deletePasskeysOf, insertPasskey } from '@bidwell/server/modules/identity/passkeys/passkey-store';
import { hashToken, newSecretToken } from '@bidwell/server/modules/identity/sessions/access-tokens';
import { insertLoginStep } from '@bidwell/server/modules/identity/sign-in/factor-store';
import { v7 as uuidv7 } from 'uuid';
import { type SoftwareAuthenticator, softwareAuthenticator } from '../sign-in/software-authenticator.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, freshAddress, get, onEntity } from './case.ts';
import { visitorsOf } from './visitors.ts';

const ORIGIN = 'http://bidwell.test';

/** A begun login of the company's user, whose second factor is awaited; resolves to the secret of its browser. */
export async function begunLogin(app: TestApp, company: TestCompany): Promise<string> {
  const step = newSecretToken();
  const now = app.clock.now;
  const user = app.ctx.db.selectFrom('users').select('password_hash').where('uuid', '=', company.userId);
  await insertLoginStep(app.ctx.db, {
    token_hash: hashToken(step),
    user_uuid: company.userId,
    password_mark: hashToken((await user.executeTakeFirstOrThrow()).password_hash),
    created_at: now,
    expires_at: new Date(now.getTime() + 60_000),
  });
  return step;
}

/** Makes a passkey of the company's user, which is not added yet. */
async function made(company: TestCompany, authenticator = softwareAuthenticator(ORIGIN)) {
  const { data: options } = await company.call('POST', '/account/passkeys/creation');
  return authenticator.create(options);
}

/** Adds a passkey of the company's user; resolves to its id and the authenticator that has it. */
async function added(company: TestCompany): Promise<{ uuid: string; authenticator: SoftwareAuthenticator }> {
  const authenticator = softwareAuthenticator(ORIGIN);
  const credential: CreatedPasskey = await made(company, authenticator);
  const { data } = await company.call('POST', '/account/passkeys', { name: 'Phone', credential });
  return { uuid: data.passkey.uuid, authenticator };
}

/** Stores passkeys of an account that no device has. */
export async function insertPasskeys(app: TestApp, accountUuid: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1)
    await insertPasskey(app.ctx.db, {
      uuid: uuidv7(),
      account_uuid: accountUuid,
      credential_id: newSecretToken(),
      public_key: 'key',
      sign_count: 0,
      transports: [],
      synced: false,
      name: 'Phone',
      created_at: app.clock.now,
      last_used_at: null,
    });
}

/** Cases for a person's passkeys, and for logins by them. */
export function passkeyCases(app: TestApp): Record<string, Case> {
  const full = async ({ userId }: TestCompany) => insertPasskeys(app, userId, limits.passkeysMax);
  const path = '/account/passkeys';
  const uuidOf = async (company: TestCompany) => (await added(company)).uuid;
  return {
    ...loginCases(app),
    'GET /api/internal/account/passkeys': get(path),
    'POST /api/internal/account/passkeys/creation': {
      isOfCaller: true,
      good: () => ({ path: `${path}/creation` }),
      async conflict(good, company) {
        await full(company);
        return good;
      },
    },
    'POST /api/internal/account/passkeys': {
      isOfCaller: true,
      good: async (company) => ({ path, body: { name: 'Phone', credential: await made(company) } }),
      async conflict(good, company) {
        await full(company);
        return good;
      },
    },
    'PUT /api/internal/account/passkeys/{uuid}': onEntity(
      path,
      uuidOf,
      { name: 'Laptop' },
      { isOfCaller: true },
    ),
    'DELETE /api/internal/account/passkeys/{uuid}': onEntity(path, uuidOf, undefined, {
      isOfCaller: true,
      async conflict(_good, company) {
        const last = await uuidOf(company);
        await company.call('PUT', `/company/${company.companyId}`, { second_factor_required: true });
        return { path: `${path}/${last}` };
      },
    }),
    'POST /api/internal/account/confirmation/passkey': {
      isOfCaller: true,
      async good(company) {
        await added(company);
        return { path: '/account/confirmation/passkey' };
      },
      async conflict(good, company) {
        await deletePasskeysOf(app.ctx.db, company.userId);
        return good;
      },
    },
  };
}

function loginCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  /** The calls have the body of the good one, as others are not counted. */
  const floodedAt = (path: string) => async (good: Call) =>
    flooded(`POST /api/internal${path}`, good.body ?? {})();
  const alone = '/login/passkey';
  const second = '/login/second-factor/passkey';
  const optionsOf = async (path: string, cookies: Record<string, string>) => {
    const url = `/api/internal${path}/options`;
    const response = await app.http.inject({ method: 'POST', url, cookies, remoteAddress: freshAddress() });
    const set = response.cookies.map(({ name, value }) => [name, value]);
    return { options: response.json().data, cookies: { ...cookies, ...Object.fromEntries(set) } };
  };
  return {
    [`POST /api/internal${alone}/options`]: {
      good: () => ({ path: `${alone}/options` }),
      others: { 429: floodedAt(`${alone}/options`) },
    },
    [`POST /api/internal${alone}`]: {
      async good(company) {
        const { authenticator } = await added(company);
        const { options, cookies } = await optionsOf(alone, {});
        return { path: alone, body: { credential: authenticator.get(options) }, cookies };
      },
      others: { 429: floodedAt(alone) },
    },
    [`POST /api/internal${second}/options`]: {
      async good(company) {
        await added(company);
        return {
          path: `${second}/options`,
          cookies: { bidwell_login: await begunLogin(app, company) },
        };
      },
      invalid: (good) => ({ ...good, cookies: { bidwell_login: 'over' } }),
      async conflict(good, company) {
        await deletePasskeysOf(app.ctx.db, company.userId);
        return good;
      },
      others: { 429: floodedAt(`${second}/options`) },
    },
    [`POST /api/internal${second}`]: {
      async good(company) {
        const { authenticator } = await added(company);
        const { options, cookies } = await optionsOf(second, {
          bidwell_login: await begunLogin(app, company),
        });
        return { path: second, body: { credential: authenticator.get(options) }, cookies };
      },
      others: { 429: floodedAt(second) },
    },
  };
}
