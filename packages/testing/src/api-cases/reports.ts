import type { InjectOptions } from 'fastify';
import { make, makeAdsetParts } from '../advertising.ts';
import type { TestApp } from '../test-app.ts';
import { type Case, get, post, range } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for reports. */
export function reportCases(app: TestApp): Record<string, Case> {
  /** A case for a call that API tokens may make `times` times a minute. */
  const byScript = (call: Case, times = 60): Case => ({
    ...call,
    others: {
      429: async (good, company) => {
        const made = await company.call('POST', '/api_tokens', { name: 'Script' });
        const url = `/api/internal${good.path}`;
        const request: InjectOptions = {
          method: good.body ? 'POST' : 'GET',
          url,
          headers: { authorization: `Bearer ${made.data.token}` },
          ...(good.body && { payload: { start_date: 'never' } }),
        };
        const rejected = good.body ? request : { ...request, url: url.split('?')[0]! };
        for (let n = 0; n < times; n += 1) await app.http.inject(rejected);
        return request;
      },
    },
  });
  const { aCampaign } = entitiesOf(app);
  const days = `start_date=${range.start_date}&end_date=${range.end_date}`;
  const ofCampaign = (report: string): Case =>
    byScript({
      good: async (company) => ({ path: `/campaign/${await aCampaign(company)}/${report}?${days}` }),
    });
  const bidsOf = (path: string): Case => ({
    good: async (company) => ({ path: `${path}?${days}&campaign_uuid=${await aCampaign(company)}` }),
  });
  return {
    'GET /api/internal/campaign/{uuid}/delivery': ofCampaign('delivery'),
    'GET /api/internal/campaign/{uuid}/bundles': ofCampaign('bundles'),
    'GET /api/internal/campaign/{uuid}/creatives': ofCampaign('creatives'),
    'GET /api/internal/campaign/{uuid}/changes': ofCampaign('changes'),
    'GET /api/internal/campaign/{uuid}/prices': ofCampaign('prices'),
    'GET /api/internal/campaign/{uuid}/reach': ofCampaign('reach'),
    'GET /api/internal/campaign/{uuid}/findings': ofCampaign('findings'),
    'GET /api/internal/campaign/{uuid}/delivery/request': byScript({
      good: async (company) => ({
        path: `/campaign/${await aCampaign(company)}/delivery/request?exit=floor`,
      }),
    }),
    'GET /api/internal/delivery': byScript(
      get(`/delivery?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/findings/ranked': byScript(
      get(`/findings/ranked?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/findings/creatives': byScript(
      get(`/findings/creatives?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/findings': byScript(
      get(`/findings?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/measurement': byScript({
      good: async (company) => ({
        path: `/measurement?start_date=${range.start_date}&end_date=${range.end_date}&campaign_id=${await aCampaign(company)}`,
      }),
    }),
    'POST /api/internal/adset/forecast': byScript({
      async good(company) {
        const { body } = await makeAdsetParts(app, company);
        const uuid = await make(company, '/adset', body);
        return { path: '/adset/forecast', body: { ...body, uuid } };
      },
    }),
    'GET /api/internal/seen_cities': get('/seen_cities?countries=DE'),
    'GET /api/internal/finance/reconciliation': byScript(
      get(`/finance/reconciliation?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/v2/analytics/highlight': byScript(
      get(`/v2/analytics/highlight?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'POST /api/internal/analytics/bundle': byScript(post('/analytics/bundle', range)),
    'POST /api/internal/analytics/level': byScript(
      post('/analytics/level', { ...range, levels: { adset: '' } }),
    ),
    'POST /api/internal/analytics/skadnetwork': byScript(post('/analytics/skadnetwork', range)),
    'GET /api/internal/analytics/skadnetwork/comparison': byScript(
      get(`/analytics/skadnetwork/comparison?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'GET /api/internal/analytics/costs': byScript(
      get(`/analytics/costs?start_date=${range.start_date}&end_date=${range.end_date}`),
    ),
    'POST /api/internal/analytics/cohorts': byScript(post('/analytics/cohorts', range)),
    'POST /api/internal/analytics/cohorts/export': byScript(post('/analytics/cohorts/export', range), 10),
    'POST /api/internal/analytics/export': byScript(
      post('/analytics/export', { ...range, levels: { adset: '' } }),
      10,
    ),
    'GET /api/internal/analytics/bids': byScript(bidsOf('/analytics/bids')),
    'GET /api/internal/analytics/bids/export': byScript(bidsOf('/analytics/bids/export'), 10),
    'GET /api/internal/analytics/events': byScript(get(`/analytics/events?date=${range.start_date}`), 10),
  };
}
