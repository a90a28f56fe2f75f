import { PART_LIMITS, partQueue } from '@bidwell/server/modules/catalog/audiences/receive-part';
import { make, makeAdsetParts } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { fillQueue } from '../held-queue.ts';
import { type Case, get, multipart, onEntity } from './case.ts';
import { entitiesOf } from './entities.ts';

const IDS = ['38400000-8cf0-11bd-b23e-10b96e40abcd'];
const PART = { name: 'ids.csv', content: Buffer.from(IDS[0]!) };

/** Cases for audiences and their uploads. */
export function audienceCases(app: TestApp): Record<string, Case> {
  const { anAudience } = entitiesOf(app);
  const withAddress = (company: TestCompany) =>
    make(company, '/audience', { name: 'Daily', kind: 'url', source_url: 'https://ids.invalid/ids.csv' });
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
