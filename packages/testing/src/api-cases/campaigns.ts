import { appBody, make, makeAdsetParts } from '../advertising.ts';
import { makeRunningCampaign } from '../bidding.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Case, get, onEntity, post } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for apps, ad sets, campaigns and the change log. */
export function campaignCases(app: TestApp): Record<string, Case> {
  const { anApp, anAdset, aCampaign, aReadyCampaign } = entitiesOf(app);
  return {
    'GET /api/internal/app': get('/app'),
    'GET /api/internal/app/{uuid}': onEntity('/app', anApp),
    'POST /api/internal/app': {
      good: () => ({ path: '/app', body: appBody() }),
      conflict: (good) => ({ ...good, body: { ...good.body, name: 'Again' } }),
    },
    'POST /api/internal/app/parse': post('/app/parse', {
      link: 'https://play.google.com/store/apps/details?id=com.example.one',
    }),
    'PUT /api/internal/app/{uuid}': onEntity(
      '/app',
      anApp,
      { name: 'Renamed' },
      {
        conflict: async (good, company) => {
          const other = appBody();
          await make(company, '/app', other);
          return { ...good, body: { store_link: other.store_link } };
        },
      },
    ),
    'DELETE /api/internal/app/batch': {
      good: async (company) => ({ path: '/app/batch', body: { uuids: [await anApp(company)] } }),
      conflict: async (good, company) => {
        const { appUuid } = await makeRunningCampaign(app, company);
        return { ...good, body: { uuids: [appUuid] } };
      },
    },
    'GET /api/internal/adset': {
      good: () => ({ path: '/adset' }),
      invalid: () => ({ path: '/adset?campaign_id=x' }),
    },
    'GET /api/internal/adset/summary': get('/adset/summary'),
    'GET /api/internal/adset/{uuid}': onEntity('/adset', anAdset),
    'POST /api/internal/adset': {
      good: async (company) => ({ path: '/adset', body: (await makeAdsetParts(app, company)).body }),
    },
    'PUT /api/internal/adset/{uuid}': onEntity('/adset', anAdset, { name: 'Renamed' }),
    'GET /api/internal/campaign': get('/campaign'),
    'GET /api/internal/campaign/{uuid}': onEntity('/campaign', aCampaign),
    'POST /api/internal/campaign': {
      good: async (company) => ({
        path: '/campaign',
        body: { name: 'Campaign', app_uuid: await anApp(company) },
      }),
    },
    'PUT /api/internal/campaign/{uuid}': onEntity('/campaign', aCampaign, {
      name: 'Renamed',
      adset_uuids: [],
    }),
    'PUT /api/internal/campaign/{uuid}/bundle': {
      good: async (company) => {
        const { campaignUuid, adsetUuid } = await makeRunningCampaign(app, company);
        return {
          path: `/campaign/${campaignUuid}/bundle`,
          body: { bundle: 'com.publisher', adsets: [{ uuid: adsetUuid, blocked: true }] },
        };
      },
    },
    'POST /api/internal/campaign/{uuid}/start': {
      good: async (company) => ({ path: `/campaign/${await aReadyCampaign(company)}/start` }),
      conflict: async (_good, company) => ({ path: `/campaign/${await aCampaign(company)}/start` }),
    },
    'POST /api/internal/campaign/{uuid}/pause': {
      good: async (company) => ({ path: `/campaign/${await aCampaign(company)}/pause` }),
    },
    'POST /api/internal/campaign/{uuid}/duplicate': {
      good: async (company) => ({ path: `/campaign/${await aReadyCampaign(company)}/duplicate` }),
    },
    'POST /api/internal/adset/{uuid}/duplicate': {
      good: async (company) => ({ path: `/adset/${await anAdset(company)}/duplicate` }),
    },
    'GET /api/internal/company/{uid}/changes': {
      good: ({ companyId }) => ({ path: `/company/${companyId}/changes` }),
    },
    'POST /api/internal/changes/{uuid}/undo': {
      good: async (company) => {
        const adset = await anAdset(company);
        await company.call('PUT', `/adset/${adset}`, { bet_cpm: 7 });
        return { path: `/changes/${await lastChange(company)}/undo` };
      },
      // What created the ad set cannot be undone.
      conflict: async (_good, company) => {
        await anAdset(company);
        return { path: `/changes/${await lastChange(company)}/undo` };
      },
    },
  };
}

/** Id of the company's newest change. */
async function lastChange(company: TestCompany): Promise<string> {
  const { data } = await company.call('GET', `/company/${company.companyId}/changes?limit=1`);
  return data.changes[0].uuid;
}
