import { type Endpoint, OPERATOR_API } from '@bidwell/contract/lib/endpoint';
import * as accountEndpoints from '@bidwell/contract/operator-accounts/endpoints';
import * as passkeyEndpoints from '@bidwell/contract/operator-accounts/passkey-endpoints';
import * as signInEndpoints from '@bidwell/contract/operator-accounts/sign-in-endpoints';
import { roleHas } from '@bidwell/contract/operator-accounts/permissions';
import { OPERATOR_ROLES, type OperatorRole } from '@bidwell/contract/operator-accounts/schema';
import * as brandEndpoints from '@bidwell/contract/operator/brand-endpoints';
import * as invoiceEndpoints from '@bidwell/contract/operator/invoice-endpoints';
import * as skadnetworkEndpoints from '@bidwell/contract/operator/skadnetwork-endpoints';
import * as operatorEndpoints from '@bidwell/contract/operator/endpoints';
import { apiCases } from '@bidwell/testing/api-cases';
import { testApp } from '@bidwell/testing/test-app';
import { isWhole } from '@bidwell/testing/whole-run';
import pino from 'pino';
import { afterAll, describe, expect, test } from 'vitest';
import { registerBackup } from '../../backup/routes.ts';
import type { Operator } from '../../platform/operator.ts';
import { createHttp } from '../../platform/http/server.ts';
import { creditCompany } from '../money/service.ts';
import { registerOperatorAccounts } from '../identity/operators/routes.ts';
import { addOperator } from '../identity/operators/service.ts';
import { registerOperator } from './routes.ts';

const app = await testApp({ MODERATION: 'auto' });
const cases = apiCases(app);

const { decisions, BACKUP: _type, ...calls } = operatorEndpoints;
const endpoints: Endpoint[] = [
  ...Object.values(accountEndpoints),
  ...Object.values(passkeyEndpoints),
  ...Object.values(signInEndpoints),
  ...Object.values(calls),
  ...Object.values(decisions),
  ...Object.values(brandEndpoints),
  ...Object.values(invoiceEndpoints),
  ...Object.values(skadnetworkEndpoints),
].filter((endpoint: Endpoint) => !endpoint.isPublic);

/** A role without any permission, so that calls that are open to all roles also reject one. */
const NOBODY = 'nobody' as OperatorRole;
const ROLES = [...OPERATOR_ROLES, NOBODY];

const operatorOf = (role: OperatorRole): Operator => ({ uuid: null, login: role, role });

/** The operator's calls behind no check at all: the header says who makes a call. */
const unguarded = await createHttp(app.ctx.config, pino({ level: 'silent' }));
unguarded.decorateRequest('operator', null);
await unguarded.register(
  async (scope: typeof unguarded) => {
    scope.addHook('onRequest', async (request) => {
      request.operator = operatorOf(request.headers['x-role'] as OperatorRole);
    });
    registerOperatorAccounts(scope, app.ctx);
    registerOperator(scope, app.ctx, { testRequest: async () => null, certify: async () => null });
    await registerBackup(scope, app.ctx);
  },
  { prefix: OPERATOR_API },
);
afterAll(() => unguarded.close());

const auditEntries = async (): Promise<number> => (await app.operator('GET', '/acts?limit=1')).data.total;

describe('without a check before the routes', () => {
  for (const { method, path, permission } of endpoints) {
    const name = `${method} ${OPERATOR_API}${path.replaceAll(/:(\w+)/g, '{$1}')}`;
    test(`${name} is still refused to the roles without its permission, and changes nothing`, async () => {
      const good = await cases[name]!.good(await app.freshCompany());
      const statusAs = async (role: OperatorRole) => {
        const { statusCode } = await unguarded.inject({
          method,
          url: OPERATOR_API + good.path,
          headers: { 'x-role': role },
          ...(good.body && { payload: good.body }),
        });
        return statusCode;
      };
      const before = await auditEntries();
      const rejected = ROLES.filter((role) => !roleHas(role, permission!));
      for (const role of rejected) expect([role, await statusAs(role)]).toEqual([role, 403]);
      expect(await auditEntries()).toBe(before);
      const admitted = ROLES.filter((role) => !rejected.includes(role));
      // operator-accounts.test.ts makes each call by every role.
      for (const role of isWhole ? admitted : admitted.slice(-1))
        expect([role, await statusAs(role)]).not.toEqual([role, 403]);
    });
  }
});

test('an operation called by other code is refused to a role without the permission, and changes nothing', async () => {
  const { ctx } = app;
  const company = await app.freshCompany();
  const { companyId } = company;
  const rejection = 'Your role does not allow this.';
  for (const role of ['moderator', 'viewer'] as const)
    await expect(
      creditCompany(ctx, operatorOf(role), { companyId, micros: 1_000_000, reason: 'Gift' }),
    ).rejects.toThrow(rejection);
  expect((await company.call('GET', '/finance/balance')).data.balance).toBe(0);
  const friend = { login: 'a.friend', name: 'Friend', role: 'admin', password: 'a long passphrase' } as const;
  await expect(addOperator(ctx, operatorOf('finance'), friend)).rejects.toThrow(rejection);
  const { operators } = (await app.operator('GET', '/operators')).data;
  expect(operators.map(({ login }: { login: string }) => login)).not.toContain('a.friend');
});
