import type { CompanyRole } from '@bidwell/contract/accounts/permission';
import { INVITATIONS_PER_HOUR } from '@bidwell/contract/accounts/people';
import { insertMembership } from '@bidwell/server/modules/identity/people/membership-store';
import { updateUser } from '@bidwell/server/modules/identity/store';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get } from './case.ts';
import { visitorsOf } from './visitors.ts';

let guests = 0;
/** A mail address that no one has yet. */
const freshEmail = () => `guest${(guests += 1)}@example.com`;

/** Functions that invite people. */
function invitersOf(app: TestApp) {
  const { freshLogin } = visitorsOf(app);
  /** The token of a new invitation to a company. */
  const invited = async (company: TestCompany, email = freshEmail()): Promise<string> => {
    const { data } = await company.call('POST', '/people/invitations', { email, role: 'editor' });
    return data.link.split('#')[1];
  };
  /** Another company, with an invitation for a person. */
  const invitedElsewhere = async ({ userId }: TestCompany) => {
    const email = freshEmail();
    await updateUser(app.ctx.db, userId, { email });
    const other = await app.freshCompany();
    return { other, token: await invited(other, email) };
  };
  const newcomer = (token: string) => ({
    token,
    login: freshLogin(),
    password: 'correct horse',
    first_name: 'New',
    contact: 'none',
  });
  return { invited, invitedElsewhere, newcomer };
}

const unknownToken = { token: 'unknown' };

/** Cases for the people of a company, invitations, and the companies of a person. */
export function peopleCases(app: TestApp): Record<string, Case> {
  return { ...memberCases(app), ...ownCompanyCases(app), ...invitationCases(app) };
}

function memberCases(app: TestApp): Record<string, Case> {
  const person = (role: CompanyRole) => async (company: TestCompany) =>
    (await app.freshPerson(company, role)).userId;
  return {
    'GET /api/internal/people': get('/people'),
    'POST /api/internal/people/invitations': {
      good: () => ({ path: '/people/invitations', body: { email: freshEmail(), role: 'analyst' } }),
      conflict: (good) => ({ ...good, body: { email: 'tester@example.com', role: 'analyst' } }),
      others: {
        429: async (good, company) => {
          for (let n = 0; n < INVITATIONS_PER_HOUR; n += 1)
            await company.call('POST', good.path, { ...good.body, email: freshEmail() });
          return {
            method: 'POST',
            url: `/api/internal${good.path}`,
            payload: good.body!,
            headers: { authorization: `Bearer ${company.token}` },
          };
        },
      },
    },
    'DELETE /api/internal/people/invitations/{uuid}': {
      async good(company) {
        const body = { email: freshEmail(), role: 'editor' };
        const { data } = await company.call('POST', '/people/invitations', body);
        return { path: `/people/invitations/${data.uuid}` };
      },
    },
    'PATCH /api/internal/people/{user_id}': {
      good: async (company) => ({
        path: `/people/${await person('editor')(company)}`,
        body: { role: 'finance' },
      }),
      conflict: (good, { userId }) => ({ ...good, path: `/people/${userId}` }),
    },
    'DELETE /api/internal/people/{user_id}': {
      good: async (company) => ({ path: `/people/${await person('editor')(company)}` }),
      conflict: (_good, { userId }) => ({ path: `/people/${userId}` }),
    },
    'POST /api/internal/people/{user_id}/ownership': {
      good: async (company) => ({ path: `/people/${await person('editor')(company)}/ownership` }),
    },
    'POST /api/internal/people/leave': {
      isOfCaller: true,
      async good(company) {
        await app.freshPerson(company, 'owner');
        return { path: '/people/leave' };
      },
      others: {
        409: async (good) => {
          const { token } = await app.freshCompany();
          const headers = { authorization: `Bearer ${token}` };
          return { method: 'POST', url: `/api/internal${good.path}`, headers };
        },
      },
    },
  };
}

function ownCompanyCases(app: TestApp): Record<string, Case> {
  const { invitedElsewhere } = invitersOf(app);
  return {
    'GET /api/internal/companies': get('/companies'),
    'GET /api/internal/companies/summary': get('/companies/summary'),
    'POST /api/internal/companies/{uuid}/session': {
      isOfCaller: true,
      async good({ userId }) {
        const { companyId } = await app.freshCompany();
        await insertMembership(app.ctx.db, companyId, { userId, role: 'editor', at: new Date() });
        return { path: `/companies/${companyId}/session` };
      },
    },
    'POST /api/internal/companies/invitation': {
      isOfCaller: true,
      async good(company) {
        const { token } = await invitedElsewhere(company);
        return { path: '/companies/invitation', body: { token } };
      },
      async conflict(good, company) {
        const { other, token } = await invitedElsewhere(company);
        const membership = { userId: company.userId, role: 'editor', at: new Date() } as const;
        await insertMembership(app.ctx.db, other.companyId, membership);
        return { ...good, body: { token } };
      },
      others: {
        429: async (good, { token }) => {
          const call = {
            method: 'POST' as const,
            url: `/api/internal${good.path}`,
            payload: unknownToken,
            headers: { authorization: `Bearer ${token}` },
          };
          for (let n = 0; n < 60; n += 1) await app.http.inject(call);
          return call;
        },
      },
    },
  };
}

function invitationCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  const { invited, newcomer } = invitersOf(app);
  return {
    'POST /api/internal/invitation': {
      good: async (company) => ({ path: '/invitation', body: { token: await invited(company) } }),
      others: { 429: flooded('POST /api/internal/invitation', unknownToken) },
    },
    'POST /api/internal/invitation/registration': {
      good: async (company): Promise<Call> => ({
        path: '/invitation/registration',
        body: newcomer(await invited(company)),
      }),
      conflict: async (good, company) => ({
        ...good,
        body: { ...good.body, token: await invited(company) },
      }),
      others: {
        429: flooded('POST /api/internal/invitation/registration', {
          ...newcomer('unknown'),
          login: 'flood.er',
        }),
      },
    },
  };
}
