import { iosAppBody, make } from '../advertising.ts';
import type { TestApp, TestCompany } from '../test-app.ts';
import { type Case, get, inOperator } from './case.ts';

/** Cases for the operator’s calls on ad networks of SKAdNetwork. */
export function skadnetworkCases(app: TestApp): Record<string, Case> {
  const network = '/skadnetwork/networks/casetest01.skadnetwork';
  const anApp = async (company: TestCompany) =>
    `/skadnetwork/apps/${await make(company, '/app', iosAppBody())}`;
  return {
    'GET /api/operator/skadnetwork': get('/skadnetwork'),
    'PUT /api/operator/skadnetwork/networks/{id}': inOperator(
      () => network,
      { iab_number: 7 },
      { nothing: (good) => ({ ...good, path: '/skadnetwork/networks/none' }) },
    ),
    'DELETE /api/operator/skadnetwork/networks/{id}': inOperator(
      async () => {
        await app.operator('PUT', network, {});
        return network;
      },
      undefined,
      {
        invalid: () => ({ path: '/skadnetwork/networks/none' }),
        nothing: () => ({ path: '/skadnetwork/networks/unknown1.skadnetwork' }),
      },
    ),
    'PUT /api/operator/skadnetwork/exchanges/{slug}': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/skadnetwork/exchanges/example';
      },
      { enabled: true },
      { nothing: (good) => ({ ...good, path: '/skadnetwork/exchanges/nobody' }) },
    ),
    'GET /api/operator/skadnetwork/apps': {
      ...get('/skadnetwork/apps'),
      invalid: (good) => ({ path: `${good.path}?q=${'a'.repeat(201)}` }),
    },
    'PUT /api/operator/skadnetwork/apps/{uuid}': inOperator(anApp, { enabled: true }),
  };
}
