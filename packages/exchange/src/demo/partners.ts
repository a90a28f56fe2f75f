import {
  type PartnerCounterpart,
  startPartnerCounterpart,
} from '@bidwell/testing/partners/partner-counterpart';
import { COMPANIES } from './companies.ts';

/** The token of the demo's AppsFlyer. */
export const DEMO_TOKEN = 'demo-appsflyer-token';

/** Starts the measurement partners of the demo, which take the costs of its apps. */
export async function openPartners(): Promise<PartnerCounterpart> {
  const partners = await startPartnerCounterpart();
  const apps = COMPANIES.flatMap((company) => company.apps).filter(({ mmp }) => mmp === 'appsflyer');
  partners.appsFlyer.token = DEMO_TOKEN;
  partners.appsFlyer.apps = apps.map(({ os, bundleId }) => ({
    id: os === 'ios' ? `id${bundleId}` : bundleId,
    timeZone: 'UTC',
  }));
  return partners;
}
