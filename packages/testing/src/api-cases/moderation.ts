import type { TestApp } from '../test-app.ts';
import { type Call, type Case, get, inOperator } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for the operator’s calls on the moderation queue. */
export function moderationCases(app: TestApp): Record<string, Case> {
  const { anApp, aLink, aCreative, aGroup } = entitiesOf(app);
  const approval = { status: 'Approved' };
  const changed = (good: Call): Call => ({
    ...good,
    body: { status: 'Rejected', reason: 'Blurred', since: '2020-01-01T00:00:00.000Z' },
  });
  return {
    'GET /api/operator/moderation': {
      ...get('/moderation'),
      invalid: () => ({ path: '/moderation?kind=campaign' }),
    },
    'POST /api/operator/moderation/decisions': {
      good: async (company) => ({
        path: '/moderation/decisions',
        body: { ...approval, items: [{ entity: 'app', uuid: await anApp(company) }] },
      }),
    },
    'POST /api/operator/apps/{uuid}/decision': inOperator(
      async (company) => `/apps/${await anApp(company)}/decision`,
      approval,
      { conflict: changed },
    ),
    'POST /api/operator/creatives/{uuid}/decision': inOperator(
      async (company) => `/creatives/${await aCreative(company)}/decision`,
      approval,
      { conflict: changed },
    ),
    'POST /api/operator/creative_groups/{uuid}/decision': inOperator(
      async (company) => `/creative_groups/${await aGroup(company)}/decision`,
      approval,
      { conflict: changed },
    ),
    'POST /api/operator/tracking_links/{uuid}/decision': inOperator(
      async (company) => `/tracking_links/${await aLink(company)}/decision`,
      approval,
      { conflict: changed },
    ),
  };
}
