import { DRAFTS_MAX } from '@bidwell/contract/drafts/schema';
import { insertDraft } from '@bidwell/server/modules/campaigns/drafts/service';
import { randomUUID } from 'node:crypto';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Case, get, onEntity } from './case.ts';

const values = { name: 'Half a campaign', adsets: [] };

/** Id of a new draft of a campaign. */
async function aDraft(company: TestCompany): Promise<string> {
  return (await company.call('POST', '/campaign_draft', { values })).data.uuid;
}

/** Cases for drafts of campaigns. */
export function draftCases(app: TestApp): Record<string, Case> {
  return {
    'GET /api/internal/campaign_draft': get('/campaign_draft'),
    'GET /api/internal/campaign_draft/{uuid}': onEntity('/campaign_draft', aDraft),
    'POST /api/internal/campaign_draft': {
      good: () => ({ path: '/campaign_draft', body: { values } }),
      invalid: (good) => ({ ...good, body: { values: 'none' } }),
      async conflict(good, { companyId, userId }) {
        const draft = { name: '', values_json: '{}', userId, at: new Date() };
        for (let n = 1; n < DRAFTS_MAX; n += 1)
          await insertDraft(app.ctx.db, companyId, { ...draft, uuid: randomUUID() });
        return good;
      },
    },
    'PUT /api/internal/campaign_draft/{uuid}': onEntity(
      '/campaign_draft',
      aDraft,
      { values: { name: 'More of it' }, version: 1 },
      { conflict: (good) => ({ ...good, body: { values: { name: 'Something else' }, version: 1 } }) },
    ),
    'DELETE /api/internal/campaign_draft/{uuid}': onEntity('/campaign_draft', aDraft),
  };
}
