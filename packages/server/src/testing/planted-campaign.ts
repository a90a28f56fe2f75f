import { v4 as uuidv4 } from 'uuid';
import type { RunningCampaign } from './bidding.ts';
import { makeRunningCampaign } from './bidding.ts';
import type { TestApp, TestCompany } from './test-app.ts';

/** Requests that are sent at once. */
const REQUESTS = 25;

/** A running campaign on an exchange of its own. */
export interface Planted extends RunningCampaign {
  company: TestCompany;
  /** Sends bid requests that the campaign would bid on if nothing were wrong. */
  send: (over?: object, requests?: number) => Promise<void>;
}

/** A campaign that bids on an exchange of its own, with what a test plants in it. */
export async function plantedCampaign(
  app: TestApp,
  over: Parameters<typeof makeRunningCampaign>[2] = {},
): Promise<Planted> {
  // The sample takes a limited number of requests a minute, and is read again after a while.
  app.clock.now = new Date(app.clock.now.getTime() + 3 * 60_000);
  const slug = `exchange-${uuidv4().slice(0, 8)}`;
  const { data } = await app.operator('PUT', `/ssps/${slug}`, { name: 'Exchange' });
  const company = await app.freshCompany();
  const target = { exchange_include: [slug], ...over.target };
  const made = await makeRunningCampaign(app, company, { ...over, target });
  return {
    ...made,
    company,
    async send(request = {}, requests = REQUESTS) {
      await app.settled();
      // The time for following requests is limited by the second: at least the first of these is followed and sampled.
      app.clock.now = new Date(app.clock.now.getTime() + 1000);
      for (let sent = 0; sent < requests; sent += 1)
        await app.http.inject({
          method: 'POST',
          url: data.path,
          headers: { 'content-type': 'application/json' },
          payload: JSON.stringify({
            id: uuidv4(),
            imp: [{ id: '1', banner: { w: 320, h: 50 }, bidfloor: 0.5 }],
            app: { bundle: 'com.publisher' },
            device: { os: 'Android', osv: '14', geo: { country: 'USA' } },
            ...request,
          }),
        });
    },
  };
}
