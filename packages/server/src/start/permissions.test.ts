import {
  COMPANY_ROLES,
  PERMISSIONS,
  type Permission,
  companyRoleHas,
} from '@bidwell/contract/accounts/permission';
import { API_SCOPES, scopesHave } from '@bidwell/contract/accounts/scope';
import { messages } from '@bidwell/contract/text/messages';
import { requestOf } from '@bidwell/testing/callers/generated-calls';
import { apiCases } from '@bidwell/testing/api-cases';
import { addressOfOwner, apiKeyOf, viewerTokenOf } from '@bidwell/testing/caller-tokens';
import { permittedCalls } from '@bidwell/testing/console-endpoints';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { createApp } from '../modules/catalog/apps/service.ts';
import { startCampaign } from '../modules/campaigns/start.ts';
import { updateProfile } from '../modules/identity/profile.ts';
import { Forbidden } from '../platform/errors.ts';
import { hasPermission } from '../platform/permissions.ts';

const app = await testApp({ MODERATION: 'auto', LOG_LEVEL: 'silent' });
const cases = apiCases(app);
const calls = await permittedCalls();

test('every permission but that for secrets is the one of a call', () => {
  const used = new Set<Permission>([...calls.map(({ permission }) => permission), 'postbacks.secret']);
  expect([...used].sort()).toEqual(PERMISSIONS.toSorted());
});

// Every caller of every call, with what is stored before and after it: the exhaustive tests of this folder.
for (const { name, method, permission, hasId } of calls) {
  const scenario = cases[name]!;
  const deniedRole = COMPANY_ROLES.find((role) => !companyRoleHas(role, permission));
  const deniedScope = API_SCOPES.find((scope) => !scopesHave([scope], permission))!;
  const lowestRole = COMPANY_ROLES.findLast((role) => companyRoleHas(role, permission))!;

  test(`${name} is for the callers with ${permission}, and for things of their company`, async () => {
    const company = await app.freshCompany();
    const good = await scenario.good(company);
    const send = async (token: string) => {
      const { statusCode, body } = await app.http.inject(
        await requestOf(method, good, { ...company, token }),
      );
      return { status: statusCode, body };
    };
    const statusOf = async (token: string) => (await send(token)).status;

    if (deniedRole) expect(await statusOf((await app.freshPerson(company, deniedRole)).token)).toBe(403);
    expect(await statusOf(await apiKeyOf(company, [deniedScope]))).toBe(
      deniedScope === 'reports' ? 401 : 403,
    );
    if (!hasPermission({ role: 'viewer' }, permission))
      expect(await statusOf(await viewerTokenOf(app, company.companyId))).toBe(403);
    if (hasId && !scenario.nothing) expect(await statusOf((await app.freshCompany()).token)).toBe(404);

    // The things of the calls of one's own account are those of its person.
    if (scenario.isOfCaller) return;
    const address = await addressOfOwner(app, company);
    const { status, body } = await send((await app.freshPerson(company, lowestRole)).token);
    expect(status).toBeLessThan(300);
    if (!companyRoleHas(lowestRole, 'people.read')) expect(body).not.toContain(address);
  });
}

test('a function that no route calls refuses those without the permission, and changes nothing', async () => {
  const company = await app.freshCompany();
  const viewer = { ...company, role: 'viewer' } as const;
  const suspended = { ...company, suspended: true };
  const input = {
    name: 'App',
    description: '',
    os: 'android',
    store_link: 'https://play.google.com/store/apps/details?id=com.example.app',
    bundle_id: 'com.example.app',
    size_in_kb: null,
    mobile_measurement_partner: 'adjust',
    iab_category: 'IAB9',
    advertiser_domain: 'example.com',
    rating: null,
    icon_link: null,
  } as const;
  await expect(createApp(app.ctx, viewer, input)).rejects.toThrow(new Forbidden(messages.viewing));
  await expect(createApp(app.ctx, suspended, input)).rejects.toThrow(new Forbidden(messages.suspended));
  expect((await company.call('GET', '/app')).data.apps).toEqual([]);
  const made = await createApp(app.ctx, company, input);
  expect((await company.call('GET', '/app')).data.apps).toMatchObject([{ uuid: made.uuid }]);
  await expect(startCampaign(app.ctx, viewer, made.uuid)).rejects.toThrow(new Forbidden(messages.viewing));
  const fields = { email: 'new@example.com', first_name: 'A', last_name: 'B', contact: 'c' };
  await expect(
    updateProfile(
      app.ctx,
      { ...viewer, sessionId: made.uuid },
      {
        userId: company.userId,
        fields: {
          ...fields,
          password: '',
          password_confirmation: '',
          current_password: '',
          revoke_api_tokens: false,
        },
        avatar: 'keep',
        signal: new AbortController().signal,
        countAddress: async () => {},
      },
    ),
  ).rejects.toThrow(new Forbidden(messages.viewing));
});
