import { PART_LIMITS, partQueue } from '@bidwell/server/modules/catalog/audiences/receive-part';
import { make, makeAdsetParts } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { fillQueue } from '../held-queue.ts';
import { type Body, type Call, type Case, get, multipart, onEntity, unknown } from './case.ts';
import { entitiesOf } from './entities.ts';
import { apiKeyOf } from '../caller-tokens.ts';
import { limits } from '@bidwell/contract/lib/limits';
import { randomUUID } from 'node:crypto';
import { visitorsOf } from './visitors.ts';

const IDS = ['38400000-8cf0-11bd-b23e-10b96e40abcd'];
const PART = { name: 'ids.csv', content: Buffer.from(IDS[0]!) };

/** Cases for audiences and their uploads. */
export function audienceCases(app: TestApp): Record<string, Case> {
  const { anAudience } = entitiesOf(app);
  const withAddress = async (company: TestCompany) => {
    const source_url = 'https://ids.invalid/ids.csv';
    const uuid = await make(company, '/audience', { name: 'Daily', kind: 'url', source_url });
    // No job refreshes it while a test compares what is stored.
    const later = new Date(app.clock.now.getTime() + 7 * 86_400_000);
    await app.ctx.db
      .updateTable('audiences')
      .set({ refresh_after: later })
      .where('uuid', '=', uuid)
      .execute();
    return uuid;
  };
  const anUpload = async (company: TestCompany) => {
    const uuid = await anAudience(company);
    const begun = await company.call('POST', `/audience/${uuid}/upload`, { bytes: PART.content.length });
    return `/audience/${uuid}/upload/${begun.data.uuid}`;
  };
  const sent = async (company: TestCompany) => {
    const path = await anUpload(company);
    await company.upload('PUT', `${path}?offset=0`, { part: PART });
    return path;
  };
  const used = async (_good: unknown, company: TestCompany) => {
    const uuid = await anAudience(company);
    const { body } = await makeAdsetParts(app, company);
    await make(company, '/adset', { ...body, audience_exclude: [uuid] });
    return { path: `/audience/${uuid}` };
  };
  const onList = async (_good: unknown, company: TestCompany) => ({
    path: `/audience/${await anAudience(company)}/refresh`,
  });
  return {
    'GET /api/internal/audience': get('/audience'),
    'GET /api/internal/audience/{uuid}': onEntity('/audience', anAudience),
    'GET /api/internal/audience/{uuid}/imports': {
      good: async (company) => ({ path: `/audience/${await anAudience(company)}/imports` }),
    },
    'POST /api/internal/audience': { good: () => ({ path: '/audience', body: { name: 'Payers' } }) },
    'PUT /api/internal/audience/{uuid}': onEntity('/audience', anAudience, { name: 'New' }),
    'DELETE /api/internal/audience/{uuid}': onEntity('/audience', anAudience, undefined, { conflict: used }),
    'POST /api/internal/audience/{uuid}/refresh': {
      good: async (company) => ({ path: `/audience/${await withAddress(company)}/refresh` }),
      conflict: onList,
    },
    'POST /api/internal/audience/{uuid}/ids': {
      good: async (company) => ({
        path: `/audience/${await anAudience(company)}/ids`,
        body: { mode: 'add', ids: IDS },
      }),
      conflict: async (good, company) => ({ ...good, path: `/audience/${await withAddress(company)}/ids` }),
    },
    'POST /api/internal/audience/{uuid}/upload': {
      good: async (company) => ({
        path: `/audience/${await anAudience(company)}/upload`,
        body: { mode: 'replace', bytes: 10 },
      }),
      conflict: async (good, company) => ({
        ...good,
        path: `/audience/${await withAddress(company)}/upload`,
      }),
    },
    'GET /api/internal/audience/{uuid}/upload/{upload}': {
      good: async (company) => ({ path: await anUpload(company) }),
    },
    'PUT /api/internal/audience/{uuid}/upload/{upload}': {
      good: async (company) => ({ path: `${await anUpload(company)}?offset=0`, parts: { part: PART } }),
      invalid: (good) => ({ ...good, path: good.path.replace('offset=0', 'offset=-1') }),
      conflict: (good) => ({ ...good, path: good.path.replace('offset=0', 'offset=5') }),
      others: {
        413: async (good, company) => {
          const part = { name: 'ids.csv', content: Buffer.alloc(8.1 * 1024 * 1024) };
          return multipart('PUT', good.path, company, { part });
        },
        429: async (good, company) => {
          await fillQueue(partQueue, PART_LIMITS, company.companyId);
          return multipart('PUT', good.path, company, good.parts!);
        },
      },
    },
    'POST /api/internal/audience/{uuid}/upload/{upload}/finish': {
      good: async (company) => ({ path: `${await sent(company)}/finish` }),
      conflict: async (_good, company) => ({ path: `${await anUpload(company)}/finish` }),
    },
  };
}

const PARTNER_PATH = '/partners/appsflyer/audiences';

/** Cases for the calls of AppsFlyer, which have an API key in their body. */
export function partnerAudienceCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  const callOf = (name: string, body: Body): Case['good'] => {
    return async (company) => ({
      path: `${PARTNER_PATH}/${name}`,
      body: { ...body, api_key: await apiKeyOf(company, ['audience_sync']) },
    });
  };
  const withKey = async ({ path, body }: Call, key: string) => ({
    method: 'POST' as const,
    url: `/api/internal${path}`,
    payload: { ...body, api_key: key },
  });
  const others: Case['others'] = {
    401: async (good) => withKey(good, 'bidwell_unknown'),
    403: async (good, company) => withKey(good, await apiKeyOf(company, ['campaigns'])),
    // The key is looked at before the rest, so it comes in a header here.
    422: async ({ path, body }) => ({
      method: 'POST' as const,
      url: `/api/internal${path}`,
      headers: { authorization: `Bearer ${String(body?.['api_key'])}` },
      payload: { ...body, api_key: {} },
    }),
    429: async (good) => flooded(`POST /api/internal${good.path}`, good.body)(),
  };
  const full = async (good: Call, { companyId }: TestCompany): Promise<Call> => {
    const at = app.clock.now;
    const rows = Array.from({ length: limits.audiencesMax }, (_, number) => ({
      uuid: randomUUID(),
      company_uuid: companyId,
      app_uuid: null,
      name: `List ${number}`,
      description: '',
      kind: 'list' as const,
      rule: null,
      source_url: null,
      id_form: 'auto' as const,
      hashed_letters: 'either' as const,
      id_hash: null,
      file_uuid: null,
      refreshed_at: null,
      refresh_after: null,
      created_at: at,
      updated_at: at,
    }));
    await app.ctx.db.insertInto('audiences').values(rows).execute();
    return { ...good, body: { ...good.body, name: 'Another', container_id: 'another' } };
  };
  const url_adid = 'https://files.invalid/ids.csv';
  return {
    [`POST /api/internal${PARTNER_PATH}/validate`]: { good: callOf('validate', {}), others },
    [`POST /api/internal${PARTNER_PATH}/create`]: {
      good: callOf('create', { name: 'Payers', platform: 'android' }),
      conflict: full,
      others,
    },
    [`POST /api/internal${PARTNER_PATH}/sync`]: {
      good: callOf('sync', { container_id: '2146', name: 'Payers', url_adid }),
      nothing: (good) => ({ ...good, body: { ...good.body, container_id: unknown } }),
      conflict: full,
      others,
    },
  };
}
