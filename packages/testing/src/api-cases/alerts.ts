import { ALERT_SENDS_PER_MINUTE } from '@bidwell/contract/alerts/schema';
import { make } from '../advertising.ts';
import type { TestCompany } from '../test-app.ts';
import { type Call, type Case, get, onEntity, post, unknown } from './case.ts';

const webhook = {
  type: 'webhook',
  name: 'Ours',
  url: 'https://alerts.example/hook',
  kinds: ['balance', 'anomaly'],
};
// Nothing is sent to a channel that is created for a case: the hosts of examples do not exist.
const channel = (company: TestCompany) => make(company, '/alerts/channels', webhook);

/** Cases for channels of alerts and their deliveries. */
export function alertCases(): Record<string, Case> {
  return {
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
      others: { 429: async (_good, company) => flooded(`/alerts/channels/${unknown}/test`, company) },
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
      others: { 429: async (_good, company) => flooded(`/alerts/deliveries/${unknown}/replay`, company) },
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

async function flooded(path: string, company: TestCompany) {
  for (let n = 0; n < ALERT_SENDS_PER_MINUTE; n += 1) await company.call('POST', path);
  return {
    method: 'POST' as const,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${company.token}` },
  };
}
