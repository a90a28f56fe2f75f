import { randomUUID } from 'node:crypto';
import type { TestApp } from '../test-app.ts';
import { type Case, get, inOperator } from './case.ts';
import { entitiesOf } from './entities.ts';
import { skadnetworkCases } from './skadnetwork.ts';

/** Cases for the operator’s calls on companies and on the money of all. */
export function operatorCompanyCases(app: TestApp): Record<string, Case> {
  return {
    'GET /api/operator/companies': {
      ...get('/companies'),
      invalid: (good) => ({ path: `${good.path}?page=first` }),
    },
    'GET /api/operator/companies/{uuid}': inOperator(({ companyId }) => `/companies/${companyId}`),
    'PATCH /api/operator/companies/{uuid}': inOperator(({ companyId }) => `/companies/${companyId}`, {
      credit_limit: 10,
      notes: 'Test',
    }),
    'POST /api/operator/companies/{uuid}/viewer_sessions': inOperator(
      ({ companyId }) => `/companies/${companyId}/viewer_sessions`,
    ),
    'GET /api/operator/companies/{uuid}/transactions': inOperator(
      ({ companyId }) => `/companies/${companyId}/transactions`,
      undefined,
      { invalid: (good) => ({ path: `${good.path}?page=first` }) },
    ),
    'GET /api/operator/companies/{uuid}/statement': inOperator(
      ({ companyId }) => `/companies/${companyId}/statement?month=2026-01`,
      undefined,
      { invalid: (good) => ({ path: good.path.replace('2026-01', 'June') }) },
    ),
    'POST /api/operator/companies/{uuid}/people/{user_uuid}/one-time-password': inOperator(
      ({ companyId, userId }) => `/companies/${companyId}/people/${userId}/one-time-password`,
    ),
    'DELETE /api/operator/companies/{uuid}/people/{user_uuid}/second-factor': inOperator(
      ({ companyId, userId }) => `/companies/${companyId}/people/${userId}/second-factor`,
    ),
    'GET /api/operator/revenue': {
      ...get('/revenue'),
      invalid: (good) => ({ path: `${good.path}?days=always` }),
    },
    'GET /api/operator/ledger/check/last': get('/ledger/check/last'),
    'POST /api/operator/companies/{uuid}/credit': inOperator(
      ({ companyId }) => `/companies/${companyId}/credit`,
      {
        amount: 10,
        reason: 'Test',
      },
    ),
    'POST /api/operator/companies/{uuid}/debit': inOperator(
      async (company) => {
        await app.operator('POST', `/companies/${company.companyId}/credit`, { amount: 10, reason: 'Test' });
        return `/companies/${company.companyId}/debit`;
      },
      { amount: 10, reason: 'Test' },
      { conflict: (good) => good },
    ),
    'PUT /api/operator/companies/{uuid}/sso-domain': inOperator(
      ({ companyId }) => `/companies/${companyId}/sso-domain`,
      { domain: 'operators.example' },
    ),
    'PUT /api/operator/companies/{uuid}/suspension': inOperator(
      ({ companyId }) => `/companies/${companyId}/suspension`,
      { suspended: true },
    ),
  };
}

/** Cases for the operator’s other calls. */
export function operatorCases(app: TestApp): Record<string, Case> {
  const { aTopUp } = entitiesOf(app);
  /** The path of a part of an exchange that reviews creatives. */
  const reviewed = (part: string) => async () => {
    await app.operator('PUT', '/ssps/reviewing', { name: 'Xandr', profile: 'xandr' });
    return `/ssps/reviewing/${part}`;
  };
  return {
    'GET /api/operator/backup': get('/backup'),
    'GET /api/operator/top-ups': get('/top-ups'),
    'POST /api/operator/top-ups/{uuid}/decision': inOperator(
      async (company) => `/top-ups/${await aTopUp(company)}/decision`,
      { status: 'success' },
      { conflict: (good) => good },
    ),
    'GET /api/operator/ledger/check': get('/ledger/check'),
    'GET /api/operator/unreadable-prices': {
      ...get('/unreadable-prices'),
      invalid: (good) => ({ path: `${good.path}?days=always` }),
    },
    'GET /api/operator/rates': get('/rates'),
    'PUT /api/operator/rates/{currency}': inOperator(
      () => '/rates/EUR',
      { dollars: 1.08 },
      { nothing: (good) => ({ ...good, path: '/rates/euro' }) },
    ),
    'GET /api/operator/device-erasures': get('/device-erasures'),
    'POST /api/operator/device-erasures': inOperator(() => '/device-erasures', {
      id: '6d92078a-8246-4ba4-ae5b-76104861e7dc',
    }),
    'DELETE /api/operator/device-erasures/{uuid}': inOperator(
      async () => {
        const { data } = await app.operator('POST', '/device-erasures', { id: randomUUID() });
        return `/device-erasures/${data.uuid}`;
      },
      undefined,
      { conflict: (good) => good },
    ),
    'GET /api/operator/payment_instructions': get('/payment_instructions'),
    'PUT /api/operator/payment_instructions': inOperator(() => '/payment_instructions', {
      instructions: 'By bank transfer.',
    }),
    'GET /api/operator/bidding': get('/bidding'),
    'PUT /api/operator/bidding': inOperator(() => '/bidding', { stopped: false }),
    'GET /api/operator/health': get('/health'),
    'GET /api/operator/ssps': get('/ssps'),
    'PUT /api/operator/ssps/{slug}': inOperator(
      () => '/ssps/example',
      { name: 'Example' },
      {
        nothing: (good) => ({ ...good, path: '/ssps/NO%20SLUG' }),
      },
    ),
    'GET /api/operator/ssps/health': {
      ...get('/ssps/health'),
      invalid: (good) => ({ path: `${good.path}?minutes=2000` }),
    },
    'GET /api/operator/ssps/{slug}/health': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/ssps/example/health';
      },
      undefined,
      {
        invalid: (good) => ({ path: `${good.path}?until=yesterday` }),
        nothing: (good) => ({ ...good, path: '/ssps/nobody/health' }),
      },
    ),
    'POST /api/operator/ssps/{slug}/test': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/ssps/example/test';
      },
      { request: '{"id":"1","imp":[{"id":"1","banner":{"w":320,"h":50}}],"app":{}}' },
      { nothing: (good) => ({ ...good, path: '/ssps/nobody/test' }) },
    ),
    'POST /api/operator/ssps/{slug}/certify': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example', profile: 'vungle' });
        return '/ssps/example/certify';
      },
      undefined,
      {
        invalid: () => ({ path: '/ssps/NO%20SLUG/certify' }),
        nothing: () => ({ path: '/ssps/nobody/certify' }),
      },
    ),
    'GET /api/operator/ssps/{slug}/billing-ids': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/ssps/example/billing-ids';
      },
      undefined,
      {
        invalid: () => ({ path: '/ssps/NO%20SLUG/billing-ids' }),
        nothing: () => ({ path: '/ssps/nobody/billing-ids' }),
      },
    ),
    'PUT /api/operator/ssps/{slug}/billing-ids/{company_uuid}': inOperator(
      async (company) => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return `/ssps/example/billing-ids/${company.companyId}`;
      },
      { billing_ids: ['41048190734'] },
      {
        invalid: (good) => ({ ...good, body: { billing_ids: ['one'] } }),
        nothing: (good) => ({ ...good, path: good.path.replace('example', 'nobody') }),
      },
    ),
    'GET /api/operator/ssps/{slug}/review': inOperator(reviewed('review'), undefined, {
      invalid: () => ({ path: '/ssps/NO%20SLUG/review' }),
      nothing: () => ({ path: '/ssps/nobody/review' }),
    }),
    'PUT /api/operator/ssps/{slug}/review': inOperator(
      reviewed('review'),
      { is_enabled: false, account: '958', login: 'reviews', secret: 'a-password' },
      {
        invalid: (good) => ({ ...good, body: { is_enabled: false, account: 'one' } }),
        nothing: (good) => ({ ...good, path: '/ssps/nobody/review' }),
        conflict: async (good) => {
          await app.operator('PUT', '/ssps/unreviewed', { name: 'Example' });
          return { ...good, path: '/ssps/unreviewed/review' };
        },
      },
    ),
    'GET /api/operator/ssps/{slug}/creative-reviews': inOperator(reviewed('creative-reviews'), undefined, {
      invalid: (good) => ({ path: `${good.path}?state=perhaps` }),
      nothing: () => ({ path: '/ssps/nobody/creative-reviews' }),
    }),
    ...skadnetworkCases(app),
    'POST /api/operator/ssps/{slug}/rotate': inOperator(
      async () => {
        await app.operator('PUT', '/ssps/example', { name: 'Example' });
        return '/ssps/example/rotate';
      },
      {},
      {
        invalid: (good) => ({ ...good, body: { end_old: 'perhaps' } }),
        nothing: (good) => ({ ...good, path: '/ssps/nobody/rotate' }),
      },
    ),
  };
}
