import { COMPANY_ROLES, companyRoleHas } from '@bidwell/contract/accounts/permission';
import { accountApiMessages } from '@bidwell/contract/accounts/api-messages';
import { accountMessages } from '@bidwell/contract/accounts/messages';
import { messages } from '@bidwell/contract/text/messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { storedState } from '@bidwell/testing/callers/stored-state';
import { apiCases } from '@bidwell/testing/api-cases';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { requireSecondFactor, viewerTokenOf } from '@bidwell/testing/caller-tokens';
import type { FastifyRequest } from 'fastify';
import { tracingChannel } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import type { Actor } from '../platform/actor.ts';
import { hasPermission } from '../platform/permissions.ts';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const calls = await permittedCalls();

type Standing = Pick<Actor, 'role' | 'companyRole' | 'scopes' | 'suspended' | 'unenrolled'>;
interface Caller {
  standing: Standing;
  /** An access token of such a caller. */
  token(company: TestCompany): Promise<string>;
  rejection: { status: number; data: string };
}

/** The callers without the permission; the last one leaves the company suspended. */
const callers: Record<string, Caller> = {
  'an API key for reports': {
    standing: { role: 'api-token', companyRole: 'owner', scopes: ['reports'] },
    token: async (company) => (await company.call('POST', '/api_tokens', { name: 'Program' })).data.token,
    rejection: { status: 401, data: accountApiMessages.apiTokenReports },
  },
  'an operator who views the company': {
    standing: { role: 'viewer' },
    token: async ({ companyId }) => viewerTokenOf(app, companyId),
    rejection: { status: 403, data: accountMessages.viewing },
  },
  'a person without a required second factor': {
    standing: { role: 'person', companyRole: 'owner', unenrolled: true },
    async token(company) {
      await requireSecondFactor(app, company, true);
      return company.token;
    },
    rejection: { status: 403, data: accountMessages.secondFactorRequired },
  },
  'a person of a suspended company': {
    standing: { role: 'person', companyRole: 'owner', suspended: true },
    async token({ companyId, token }) {
      await app.operator('PUT', `/companies/${companyId}/suspension`, { suspended: true });
      return token;
    },
    rejection: { status: 403, data: accountMessages.suspended },
  },
};

/** Changes the caller of a request after the auth hook, as another entrance than the API would call the same function. */
const STANDING = 'x-test-standing';
tracingChannel<'fastify.request.handler', { request: FastifyRequest }>(
  'fastify.request.handler',
).start.subscribe((message) => {
  const { request } = message as { request: FastifyRequest };
  const standing = request.headers[STANDING];
  if (typeof standing === 'string') Object.assign(request.session!, JSON.parse(standing));
});

/** A company where a call succeeds, and what makes the call there. */
async function companyWithCall(name: string, method: (typeof calls)[number]['method']) {
  const company = await app.freshCompany();
  const good = await cases[name]!.good(company);
  const send = async (token: string, headers: Record<string, string> = {}) => {
    const response = await app.http.inject(await requestOf(method, good, { ...company, token }, headers));
    const isJson = String(response.headers['content-type']).includes('json');
    return { status: response.statusCode, data: isJson ? response.json().data : undefined };
  };
  return { company, send };
}

for (const { name, method, permission } of calls) {
  test(`${name} is refused without ${permission}, by the API and by its function, and to no one else`, async () => {
    const { company, send } = await companyWithCall(name, method);
    // By its function alone: company-roles.exhaustive.test.ts makes these calls without a change after the auth hook.
    const roles = COMPANY_ROLES.filter((role) => !companyRoleHas(role, permission));
    // Of another company: some calls are limited to five a minute of a company, which count the calls that their function rejects.
    const other = roles.length === 0 ? null : await companyWithCall(name, method);
    for (const companyRole of roles)
      expect([
        companyRole,
        await other!.send(other!.company.token, { [STANDING]: JSON.stringify({ companyRole }) }),
      ]).toEqual([companyRole, { status: 403, data: messages.roleForbids }]);
    for (const [caller, { standing, token: tokenFor, rejection }] of Object.entries(callers)) {
      const token = await tokenFor(company);
      if (hasPermission(standing, permission)) {
        // Its setup cannot be repeated by the next caller; required-factor.test.ts makes the calls.
        if (standing.unenrolled) await requireSecondFactor(app, company, false);
        else expect([caller, (await send(token)).status]).toEqual([caller, expect.toSatisfy(isSuccess)]);
        continue;
      }
      const before = await storedState(app, company);
      expect([caller, await send(token)]).toEqual([caller, rejection]);
      expect(await storedState(app, company)).toEqual(before);
      if (standing.unenrolled) await requireSecondFactor(app, company, false);
      if (standing.suspended)
        await app.operator('PUT', `/companies/${company.companyId}/suspension`, { suspended: false });
      // A list that was read before is answered without its function.
      if (standing.unenrolled && method === 'GET') continue;
      const later = await storedState(app, company);
      const passed = await send(company.token, { [STANDING]: JSON.stringify(standing) });
      expect([caller, passed]).toEqual([caller, rejection]);
      expect(await storedState(app, company)).toEqual(later);
    }
  });
}

const isSuccess = (status: number): boolean => status < 300;
