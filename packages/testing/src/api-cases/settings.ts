import { POSTBACK_TESTS_PER_MINUTE } from '@bidwell/contract/postbacks/schema';
import { make } from '../advertising.ts';
import { type Case, get, onEntity, post, unknown } from './case.ts';

/** Cases for API tokens, finance, notifications, postbacks and reference lists. */
export function settingsCases(): Record<string, Case> {
  return {
    'GET /api/internal/api_tokens': get('/api_tokens'),
    'POST /api/internal/api_tokens': {
      ...post('/api_tokens', { name: 'Script' }),
      conflict: async (good, company) => {
        for (let n = 0; n < 50; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'DELETE /api/internal/api_tokens/{uuid}': onEntity('/api_tokens', (company) =>
      make(company, '/api_tokens', { name: 'Script' }),
    ),
    'GET /api/internal/finance/balance': get('/finance/balance'),
    'GET /api/internal/finance/payment_instructions': get('/finance/payment_instructions'),
    'GET /api/internal/finance/transactions': get('/finance/transactions'),
    'GET /api/internal/finance/statement': get(
      '/finance/statement?start_date=2026-01-01&end_date=2026-01-31',
    ),
    'POST /api/internal/finance/top_up': post('/finance/top_up', { amount: 20 }),
    'GET /api/internal/notifications': get('/notifications'),
    'GET /api/internal/postbacks': get('/postbacks'),
    'POST /api/internal/postbacks/secret': post('/postbacks/secret', {}),
    'PUT /api/internal/postbacks/{mmp}': {
      ...post('/postbacks/adjust', { networks: ['198.51.100.7'] }),
      nothing: (good) => ({ ...good, path: '/postbacks/nobody' }),
    },
    'POST /api/internal/postbacks/{mmp}/test': {
      ...post('/postbacks/adjust/test', {}),
      nothing: (good) => ({ ...good, path: '/postbacks/nobody/test' }),
      others: {
        429: async (_good, company) => {
          for (let n = 0; n < POSTBACK_TESTS_PER_MINUTE; n += 1)
            await company.call('POST', '/postbacks/nobody/test');
          return {
            method: 'POST',
            url: '/api/internal/postbacks/nobody/test',
            headers: { authorization: `Bearer ${company.token}` },
          };
        },
      },
    },
    'PATCH /api/internal/notifications': post('/notifications', { ids: [unknown] }),
    ...Object.fromEntries(
      [
        'sub_region',
        'regions',
        'languages',
        'connection_types',
        'device_types',
        'store_genres',
        'iab_categories',
        'phone_models',
        'operating_systems',
        'algorithms',
        'ssps',
      ].map((name) => [`GET /api/internal/${name}`, get(`/${name}`)]),
    ),
  };
}
