import { ALERT_SENDS_PER_MINUTE } from '@bidwell/contract/alerts/schema';
import { ALERT_RULES_MAX } from '@bidwell/contract/alerts/rules';
import { make } from '../advertising.ts';
import { unsubscribeToken } from '@bidwell/server/modules/messaging/alerts/preferences';
import type { TestApp, TestCompany } from '../test-app.ts';
import { visitorsOf } from './visitors.ts';
import { type Call, type Case, get, onEntity, post, unknown } from './case.ts';

const webhook = {
  type: 'webhook',
  name: 'Ours',
  url: 'https://alerts.example/hook',
  kinds: ['balance', 'anomaly'],
};
// Nothing is sent to a channel that is created for a case: the hosts of examples do not exist.
const channel = (company: TestCompany) => make(company, '/alerts/channels', webhook);

const rule = {
  metric: 'cpi',
  scope: 'company',
  scope_uuid: null,
  days: 3,
  direction: 'above',
  threshold: 6,
  minimum: { of: 'installs', value: 10 },
  hour: null,
};
const alertRule = (company: TestCompany) => make(company, '/alerts/rules', rule);

/** Cases for rules and channels of alerts, their deliveries, and alerts by mail. */
export function alertCases(app: TestApp): Record<string, Case> {
  return {
    ...mailCases(app),
    'GET /api/internal/alerts/rules': get('/alerts/rules'),
    'POST /api/internal/alerts/rules': {
      ...post('/alerts/rules', rule),
      conflict: async (good, company) => {
        for (let n = 0; n < ALERT_RULES_MAX; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'PUT /api/internal/alerts/rules/{uuid}': onEntity('/alerts/rules', alertRule, { ...rule, threshold: 7 }),
    'DELETE /api/internal/alerts/rules/{uuid}': onEntity('/alerts/rules', alertRule),
    'GET /api/internal/alerts/channels': get('/alerts/channels'),
    'POST /api/internal/alerts/channels': {
      ...post('/alerts/channels', webhook),
      conflict: async (good, company) => {
        for (let n = 0; n < 10; n += 1) await company.call('POST', good.path, good.body);
        return good;
      },
    },
    'PATCH /api/internal/alerts/channels/{uuid}': onEntity('/alerts/channels', channel, {
      name: 'Others',
      is_enabled: false,
    }),
    'DELETE /api/internal/alerts/channels/{uuid}': onEntity('/alerts/channels', channel),
    'POST /api/internal/alerts/channels/{uuid}/test': {
      good: async (company) => ({ path: `/alerts/channels/${await channel(company)}/test` }),
      conflict: async (good, company) => {
        await company.call('PATCH', good.path.replace('/test', ''), { is_enabled: false });
        return good;
      },
      others: { 429: async (_good, company) => sentOften(`/alerts/channels/${unknown}/test`, company) },
    },
    'GET /api/internal/alerts/channels/{uuid}/deliveries': {
      good: async (company) => ({ path: `/alerts/channels/${await channel(company)}/deliveries` }),
    },
    'POST /api/internal/alerts/deliveries/{uuid}/replay': {
      good: delivered,
      conflict: async (good, company) => {
        await company.call('POST', good.path);
        return good;
      },
      others: { 429: async (_good, company) => sentOften(`/alerts/deliveries/${unknown}/replay`, company) },
    },
  };
}

/** A delivery that does not wait: its channel was switched off meanwhile. */
async function delivered(company: TestCompany): Promise<Call> {
  const path = `/alerts/channels/${await channel(company)}`;
  const { data } = await company.call('POST', `${path}/test`);
  await company.call('PATCH', path, { is_enabled: false });
  await company.call('PATCH', path, { is_enabled: true });
  return { path: `/alerts/deliveries/${data.uuid}/replay` };
}

async function sentOften(path: string, company: TestCompany) {
  for (let n = 0; n < ALERT_SENDS_PER_MINUTE; n += 1) await company.call('POST', path);
  return {
    method: 'POST' as const,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${company.token}` },
  };
}

function mailCases(app: TestApp): Record<string, Case> {
  const { flooded } = visitorsOf(app);
  return {
    'GET /api/internal/alerts/settings': get('/alerts/settings'),
    'PUT /api/internal/alerts/settings': post('/alerts/settings', { balance_low: 100 }),
    'GET /api/internal/alerts/preferences': get('/alerts/preferences'),
    'PUT /api/internal/alerts/preferences': post('/alerts/preferences', {
      kinds: ['balance'],
      frequency: 'daily',
      daily_hour: 8,
      quiet_from: null,
      quiet_until: null,
      time_zone: 'UTC',
    }),
    'POST /api/internal/alerts/unsubscribe/{token}': {
      good: ({ companyId, userId }) => ({
        path: `/alerts/unsubscribe/${unsubscribeToken(app.ctx.config.signingSecret, { companyId, userId })}`,
      }),
      nothing: (good) => ({ ...good, path: '/alerts/unsubscribe/unknown' }),
      others: { 429: flooded('POST /api/internal/alerts/unsubscribe/unknown') },
    },
  };
}
