import { makeRunningCampaign } from '../bidding.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get, unknown } from './case.ts';

const limits = { daily_budget_above: 100, total_budget_above: null };

/** Cases for approvals of budgets, of a server with `MODERATION=auto`. */
export function approvalCases(app: TestApp): Record<string, Case> {
  /** A company whose owner set limits, with a running campaign; `colleague` may approve. */
  const ruled = async (company: TestCompany) => {
    const colleague = await app.freshPerson(company, 'owner');
    const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
    await company.call('PUT', `/adset/${adsetUuid}`, { daily_budget_const: 50 });
    await colleague.call('PUT', '/approval/limits', limits);
    const adsets = [{ uuid: adsetUuid, daily_budget_const: 500 }];
    return { colleague, input: { campaign_uuid: campaignUuid, adsets } };
  };
  /** A request of a colleague. */
  const ofColleague = async (company: TestCompany) => {
    const { colleague, input } = await ruled(company);
    const { data } = await colleague.call('POST', '/approval', input);
    return data as { uuid: string; hash: string };
  };
  const again = (good: Call): Call => good;
  return {
    'GET /api/internal/approval/limits': get('/approval/limits'),
    'PUT /api/internal/approval/limits': {
      async good(company) {
        await app.freshPerson(company, 'editor');
        return { path: '/approval/limits', body: limits };
      },
      others: {
        409: async (good) => {
          const { token } = await app.freshCompany();
          const headers = { authorization: `Bearer ${token}` };
          return { method: 'PUT', url: `/api/internal${good.path}`, payload: good.body!, headers };
        },
      },
    },
    'GET /api/internal/approval': get('/approval'),
    'POST /api/internal/approval': {
      good: async (company) => ({ path: '/approval', body: (await ruled(company)).input }),
      nothing: (good) => ({ ...good, body: { ...good.body, campaign_uuid: unknown } }),
      conflict: again,
    },
    'POST /api/internal/approval/{uuid}/approve': {
      async good(company) {
        const { uuid, hash } = await ofColleague(company);
        return { path: `/approval/${uuid}/approve`, body: { hash } };
      },
      conflict: again,
    },
    'POST /api/internal/approval/{uuid}/reject': {
      async good(company) {
        const { uuid } = await ofColleague(company);
        return { path: `/approval/${uuid}/reject`, body: { reason: 'Too much' } };
      },
      conflict: again,
    },
    'POST /api/internal/approval/{uuid}/withdraw': {
      isOfCaller: true,
      async good(company) {
        const { input } = await ruled(company);
        const { data } = await company.call('POST', '/approval', input);
        return { path: `/approval/${data.uuid}/withdraw` };
      },
      conflict: again,
    },
  };
}
