import {
  REPORT_DESTINATIONS_MAX,
  REPORT_TESTS_PER_MINUTE,
} from '@bidwell/contract/report-schedules/destination-schema';
import { REPORT_SCHEDULES_MAX, REPORT_SENDS_PER_MINUTE } from '@bidwell/contract/report-schedules/schema';
import { reportMailToken } from '@bidwell/server/modules/reporting/schedules/unsubscribe';
import {
  insertWarehouseRun,
  updateWarehouseRun,
} from '@bidwell/server/modules/reporting/warehouse/warehouse-store';
import { v7 as uuidv7 } from 'uuid';
import { make } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { visitorsOf } from './visitors.ts';
import { type Body, type Case, get, onEntity, post, unknown } from './case.ts';

const PATH = '/report-schedules';
const UNSUBSCRIBE = `${PATH}/unsubscribe`;

const schedule = ({ userId }: TestCompany): Body => ({
  name: 'Weekly',
  report: {
    levels: { campaign: '', os: '' },
    metrics: ['spends', 'installs'],
    event_names: null,
    filters: null,
  },
  format: 'csv',
  frequency: 'weekly',
  weekday: 1,
  hour: 8,
  user_uuids: [userId],
  is_enabled: true,
});
const DESTINATIONS = '/report-destinations';
// Nothing is sent there: it is no address of the public internet.
const webhook = { type: 'webhook', name: 'Ours', url: 'https://192.0.2.1/hook' };
const destination = (company: TestCompany) => make(company, DESTINATIONS, webhook);
const made = (company: TestCompany) => make(company, PATH, schedule(company));

async function tokenOf({ ctx }: TestApp, company: TestCompany): Promise<string> {
  const { companyId, userId } = company;
  return reportMailToken(ctx.config.signingSecret, { companyId, scheduleId: await made(company), userId });
}

/** Cases for reports that are sent again and again. */
export function reportScheduleCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  return {
    ...destinationCases(),
    ...warehouseCases(app),
    'GET /api/internal/report-schedules': get(PATH),
    'POST /api/internal/report-schedules': {
      good: (company) => ({ path: PATH, body: schedule(company) }),
      conflict: async (good, company) => {
        for (let n = 0; n < REPORT_SCHEDULES_MAX; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'PUT /api/internal/report-schedules/{uuid}': {
      good: async (company) => ({ path: `${PATH}/${await made(company)}`, body: schedule(company) }),
    },
    'DELETE /api/internal/report-schedules/{uuid}': onEntity(PATH, made),
    'POST /api/internal/report-schedules/{uuid}/send': {
      good: async (company) => ({ path: `${PATH}/${await made(company)}/send` }),
      conflict: async (good, company) => {
        await company.call('POST', good.path);
        return good;
      },
      others: {
        429: async (_good, company) => {
          const path = `${PATH}/${unknown}/send`;
          for (let n = 0; n < REPORT_SENDS_PER_MINUTE; n += 1) await company.call('POST', path);
          return {
            method: 'POST' as const,
            url: `/api/internal${path}`,
            headers: { authorization: `Bearer ${company.token}` },
          };
        },
      },
    },
    'POST /api/internal/report-schedules/unsubscribe/{token}': {
      good: async (company) => ({ path: `${UNSUBSCRIBE}/${await tokenOf(app, company)}` }),
      nothing: (good) => ({ ...good, path: `${UNSUBSCRIBE}/unknown` }),
      others: { 429: flooded(`POST /api/internal${UNSUBSCRIBE}/unknown`) },
    },
    'GET /api/internal/report-schedules/{uuid}/runs': {
      good: async (company) => ({ path: `${PATH}/${await made(company)}/runs` }),
    },
  };
}

function destinationCases(): Record<string, Case> {
  return {
    'GET /api/internal/report-destinations': get(DESTINATIONS),
    'POST /api/internal/report-destinations': {
      ...post(DESTINATIONS, webhook),
      conflict: async (good, company) => {
        for (let n = 0; n < REPORT_DESTINATIONS_MAX; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'DELETE /api/internal/report-destinations/{uuid}': {
      ...onEntity(DESTINATIONS, destination),
      conflict: async (_good, company) => {
        const uuid = await destination(company);
        await company.call('POST', PATH, { ...schedule(company), destination_uuids: [uuid] });
        return { path: `${DESTINATIONS}/${uuid}` };
      },
    },
    'POST /api/internal/report-destinations/{uuid}/test': {
      good: async (company) => ({ path: `${DESTINATIONS}/${await destination(company)}/test` }),
      others: {
        429: async (_good, company) => {
          const path = `${DESTINATIONS}/${unknown}/test`;
          for (let n = 0; n < REPORT_TESTS_PER_MINUTE; n += 1) await company.call('POST', path);
          return {
            method: 'POST' as const,
            url: `/api/internal${path}`,
            headers: { authorization: `Bearer ${company.token}` },
          };
        },
      },
    },
  };
}

const bucket = {
  type: 's3',
  name: 'Bucket',
  url: 'https://192.0.2.1/',
  region: 'eu-central-1',
  bucket: 'events',
  prefix: '',
  access_key_id: 'key',
  secret_access_key: 'secret',
};
const WAREHOUSE = '/warehouse-export';
const exported = async (company: TestCompany): Promise<Body> => ({
  destination_uuid: await make(company, DESTINATIONS, bucket),
  kinds: ['clicks'],
  is_enabled: true,
});

function warehouseCases({ ctx }: TestApp): Record<string, Case> {
  const stored = async ({ companyId }: TestCompany) => {
    const uuid = uuidv7();
    await insertWarehouseRun(ctx.db, companyId, {
      uuid,
      kind: 'clicks',
      storedFrom: new Date('2026-03-01T10:00:00Z'),
      storedBefore: new Date('2026-03-01T11:00:00Z'),
    });
    await updateWarehouseRun(ctx.db, companyId, uuid, { status: 'stored', files: [] });
    return uuid;
  };
  return {
    'GET /api/internal/warehouse-export': get(WAREHOUSE),
    'PUT /api/internal/warehouse-export': {
      good: async (company) => ({ path: WAREHOUSE, body: await exported(company) }),
    },
    'DELETE /api/internal/warehouse-export': {
      good: async (company) => {
        await company.call('PUT', WAREHOUSE, await exported(company));
        return { path: WAREHOUSE };
      },
    },
    'GET /api/internal/warehouse-export/runs': get(`${WAREHOUSE}/runs`),
    'POST /api/internal/warehouse-export/runs/{uuid}/repeat': {
      good: async (company) => ({ path: `${WAREHOUSE}/runs/${await stored(company)}/repeat` }),
      conflict: async (good, company) => {
        await company.call('POST', good.path);
        return good;
      },
    },
  };
}
