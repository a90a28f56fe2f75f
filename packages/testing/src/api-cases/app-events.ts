import { addDays } from '@bidwell/contract/lib/calendar';
import { CONVERSION_VERSIONS_MAX } from '@bidwell/contract/skadnetwork/conversion-values';
import { iosAppBody, make } from '../advertising.ts';
import type { TestApp } from '../test-app.ts';
import type { Case } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for the in-app events, the conversion values and the source identifiers of an app. */
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
    'GET /api/internal/app/{uuid}/conversion-values': {
      good: async (company) => ({ path: `/app/${await anApp(company)}/conversion-values` }),
    },
    'PUT /api/internal/app/{uuid}/conversion-values': {
      good: async (company) => ({
        path: `/app/${await make(company, '/app', iosAppBody())}/conversion-values`,
        body: { rules: [] },
      }),
      conflict: async (_good, company) => {
        const uuid = await make(company, '/app', iosAppBody());
        const rows = Array.from({ length: CONVERSION_VERSIONS_MAX }, (_, day) => ({
          company_uuid: company.companyId,
          app_uuid: uuid,
          valid_from: addDays('2020-01-01', day),
          rules: '[]',
        }));
        await app.ctx.db.insertInto('conversion_value_versions').values(rows).execute();
        return { path: `/app/${uuid}/conversion-values`, body: { rules: [] } };
      },
    },
  };
}
