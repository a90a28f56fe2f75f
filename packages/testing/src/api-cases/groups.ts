import type { TestApp } from '../test-app.ts';
import { type Case, get, onEntity } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for creative groups. */
export function groupCases(app: TestApp): Record<string, Case> {
  const { aGroup, group } = entitiesOf(app);
  return {
    'GET /api/internal/internal_creative_group': get('/internal_creative_group'),
    'GET /api/internal/internal_creative_group/{uuid}': onEntity('/internal_creative_group', aGroup),
    'POST /api/internal/internal_creative_group': {
      good: async (company) => ({ path: '/internal_creative_group', body: await group(company) }),
    },
    'PUT /api/internal/internal_creative_group/{uuid}': onEntity('/internal_creative_group', aGroup, {
      name: 'New',
    }),
    'POST /api/internal/creative_group': {
      good: async (company) => ({ path: '/creative_group', body: await group(company) }),
    },
    'PUT /api/internal/creative_group/{uuid}': onEntity('/creative_group', aGroup, { name: 'New' }),
  };
}
