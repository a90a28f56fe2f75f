import type { TestApp } from '../test-app.ts';
import type { Case } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for the in-app events of an app, and for the numbers of its ad sets. */
export function appEventCases(app: TestApp): Record<string, Case> {
  const { anApp } = entitiesOf(app);
  return {
    'GET /api/internal/app/{uuid}/events': {
      good: async (company) => ({ path: `/app/${await anApp(company)}/events` }),
    },
    'GET /api/internal/app/{uuid}/source_identifiers': {
      good: async (company) => ({ path: `/app/${await anApp(company)}/source_identifiers` }),
    },
    'PUT /api/internal/app/{uuid}/events': {
      good: async (company) => ({
        path: `/app/${await anApp(company)}/events`,
        body: { click_window_days: 30, view_window_days: 1, revenue_sources: ['purchases'], events: [] },
      }),
    },
  };
}
