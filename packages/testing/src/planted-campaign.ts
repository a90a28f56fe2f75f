import type { RunningCampaign } from './bidding.ts';
import { campaignOn, freshExchange } from './exchange.ts';
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
  over: Parameters<typeof campaignOn>[2] = {},
): Promise<Planted> {
  // The sample takes a limited number of requests a minute, and is read again after a while.
  app.clock.now = new Date(app.clock.now.getTime() + 3 * 60_000);
  const exchange = await freshExchange(app);
  return {
    ...(await campaignOn(app, exchange, over)),
    async send(request = {}, requests = REQUESTS) {
      await app.settled();
      // The time for following requests is limited by the second. The last one has time, and represents the ones without.
      for (let sent = 0; sent < requests; sent += 1) {
        const isLast = sent === requests - 1;
        if (isLast) await app.settled();
        if (isLast || sent === 0) app.clock.now = new Date(app.clock.now.getTime() + 1000);
        await exchange.send(request);
      }
    },
  };
}
