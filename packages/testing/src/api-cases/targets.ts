import { LINK_CHECKS_PER_MINUTE } from '@bidwell/contract/tracking-links/link-check';
import { linkBody, make, makeAdsetParts, targetBody } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Call, type Case, get, onEntity } from './case.ts';
import { entitiesOf } from './entities.ts';

/** Cases for targets and tracking links. */
export function targetCases(app: TestApp): Record<string, Case> {
  const { anApp, aTarget, aLink } = entitiesOf(app);
  const usedApp = (field: 'target' | 'tracking_link') => async (_good: Call, company: TestCompany) => {
    const { targetUuid, linkUuid, body } = await makeAdsetParts(app, company);
    await make(company, '/adset', body);
    const uuid = field === 'target' ? targetUuid : linkUuid;
    return { path: `/${field}/${uuid}`, body: { app_id: await anApp(company) } };
  };
  return {
    'GET /api/internal/target': get('/target'),
    'GET /api/internal/target/{uuid}': onEntity('/target', aTarget),
    'POST /api/internal/target': {
      good: async (company) => ({ path: '/target', body: targetBody(await anApp(company)) }),
    },
    'PUT /api/internal/target/{uuid}': onEntity(
      '/target',
      aTarget,
      { name: 'New' },
      { conflict: usedApp('target') },
    ),
    'POST /api/internal/target/{uuid}/duplicate': {
      good: async (company) => ({ path: `/target/${await aTarget(company)}/duplicate` }),
    },
    'GET /api/internal/tracking_link': get('/tracking_link'),
    'GET /api/internal/tracking_link/{uuid}': onEntity('/tracking_link', aLink),
    'POST /api/internal/tracking_link': {
      good: async (company) => ({ path: '/tracking_link', body: linkBody(await anApp(company)) }),
    },
    'POST /api/internal/tracking_link/check': {
      // A reserved name, which is never found.
      good: async (company) => ({
        path: '/tracking_link/check',
        body: { app_id: await anApp(company), click_url: 'https://link.invalid/?clickid={click_id}' },
      }),
      others: {
        429: async (_good, company) => {
          for (let n = 0; n < LINK_CHECKS_PER_MINUTE; n += 1)
            await company.call('POST', '/tracking_link/check', {});
          return {
            method: 'POST',
            url: '/api/internal/tracking_link/check',
            headers: { authorization: `Bearer ${company.token}` },
            payload: {},
          };
        },
      },
    },
    'POST /api/internal/tracking_link/check_view': {
      // A reserved name, which is never found.
      good: async (company) => ({
        path: '/tracking_link/check_view',
        body: { app_id: await anApp(company), view_url: 'https://link.invalid/?clickid={click_id}' },
      }),
      others: {
        429: async (_good, company) => {
          for (let n = 0; n < LINK_CHECKS_PER_MINUTE; n += 1)
            await company.call('POST', '/tracking_link/check_view', {});
          return {
            method: 'POST',
            url: '/api/internal/tracking_link/check_view',
            headers: { authorization: `Bearer ${company.token}` },
            payload: {},
          };
        },
      },
    },
    'PUT /api/internal/tracking_link/{uuid}': onEntity(
      '/tracking_link',
      aLink,
      { name: 'New' },
      {
        conflict: usedApp('tracking_link'),
      },
    ),
  };
}
