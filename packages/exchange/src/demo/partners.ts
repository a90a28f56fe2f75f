import {
  type PartnerCounterpart,
  startPartnerCounterpart,
} from '@bidwell/testing/partners/partner-counterpart';
import type { ReviewCounterpart } from '@bidwell/testing/exchange-reviews/review-counterpart';
import { z } from 'zod';
import type { Api } from './api.ts';
import { COMPANIES } from './companies.ts';
import type { CompanyPlan } from './plan.ts';

/** The token of the demo's AppsFlyer. */
const DEMO_TOKEN = 'demo-appsflyer-token';

/** Starts the measurement partners of the demo, which take the costs of its apps; with servers of other kinds at the same address. */
export async function openPartners(
  others: Pick<ReviewCounterpart, 'hosts' | 'handle'>,
): Promise<PartnerCounterpart> {
  const partners = await startPartnerCounterpart({ others });
  const apps = COMPANIES.flatMap((company) => company.apps).filter(({ mmp }) => mmp === 'appsflyer');
  partners.appsFlyer.token = DEMO_TOKEN;
  partners.appsFlyer.apps = apps.map(({ os, bundleId }) => ({
    id: os === 'ios' ? `id${bundleId}` : bundleId,
    timeZone: 'UTC',
  }));
  return partners;
}

/** Sends the costs of a company to the demo's AppsFlyer, if it measures an app there. Throws ApiError. */
export async function sendCosts(api: Api, { apps }: CompanyPlan): Promise<void> {
  if (!apps.some(({ mmp }) => mmp === 'appsflyer')) return;
  const costs = { is_enabled: true, media_source: 'bidwell_int', token: DEMO_TOKEN };
  await api.send('PUT', '/partner-costs/appsflyer', costs, z.object({}));
}
