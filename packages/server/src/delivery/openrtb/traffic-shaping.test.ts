import { expect, test } from 'vitest';
import { campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';

// Leases are of the database's time, which the clock may be ahead of by seconds only: no other test moves it here.
const app = await testApp({ MODERATION: 'auto' });

test('above its limit the requests of an exchange that get bids are read before the others', async () => {
  const exchange = await freshExchange(app, { requests_per_second: 100 });
  await campaignOn(app, exchange, { adset: { white_list_bundles: ['com.good'] } });
  /** Requests of the exchange without a bid, by reason. */
  const noBids = async (): Promise<Record<string, number>> => {
    const { body } = await app.http.inject('/metrics');
    const lines = body.split('\n').filter((line) => line.startsWith('bidwell_no_bids_total'));
    return Object.fromEntries(
      lines.map((line) => [/reason="(\w+)"/.exec(line)![1]!, Number(line.split(' ').at(-1))]),
    );
  };
  let good = { sent: 0, bids: 0 };
  /** Sends 500 requests a second, a fifth of them of the publisher's app in which the ad set bids. */
  const sendFor = async (seconds: number) => {
    good = { sent: 0, bids: 0 };
    for (let request = 0; request < seconds * 500; request += 1) {
      app.clock.now = new Date(app.clock.now.getTime() + 2);
      const isGood = request % 5 === 0;
      const bundle = isGood ? 'com.good' : `com.other${request % 7}`;
      const { statusCode } = await exchange.send({ app: { bundle } });
      if (isGood) good.sent += 1;
      if (statusCode === 200) good.bids += 1;
    }
  };
  await sendFor(1);
  const before = await noBids();
  await sendFor(1);
  const after = await noBids();
  const added = (reason: string) => (after[reason] ?? 0) - (before[reason] ?? 0);
  // A slow process may have no lease for a moment.
  expect((good.bids + added('no_lease')) / good.sent).toBeGreaterThan(0.6);
  const skipped = added('too_many_requests');
  // Of 500 requests 100 are read, and what was left in the buckets.
  expect(skipped).toBeGreaterThanOrEqual(300);
  expect(skipped).toBeLessThan(420);
  // Some of the others are read, so that it is noticed when they get bids.
  expect(added('bundle_not_white_listed')).toBeGreaterThan(2);
});

test.each([
  ['google', 204],
  ['inmobi', 200],
])(
  'at an exchange of the profile %s, requests that no ad set can bid on do not count towards the limit',
  async (profile, status) => {
    const exchange = await freshExchange(app, { requests_per_second: 1, profile });
    await campaignOn(app, exchange, { target: { location_include: ['US'] } });
    for (let request = 0; request < 9; request += 1) {
      const response = await exchange.send({ device: { os: 'Android', geo: { country: 'KAZ' } } });
      expect(response.statusCode).toBe(status);
      if (status === 200) expect(response.json()).toMatchObject({ seatbid: [], nbr: expect.any(Number) });
    }
    const { body } = await app.http.inject('/metrics');
    const reasons = body
      .split('\n')
      .filter((line) => line.includes(`ssp="${exchange.slug}"`) && line.startsWith('bidwell_no_bids_total'));
    expect(reasons).toEqual([expect.stringMatching(/reason="(country|exchange)".* 9$/)]);
  },
);
