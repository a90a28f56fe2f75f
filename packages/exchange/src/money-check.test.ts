import { profileOf } from '@bidwell/contract/operator/exchange-profiles';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { expect, test } from 'vitest';
import { freePort } from '../../../chaos/server-process.ts';
import { followMoney } from './money-check.ts';
import { personalityOf } from './personality.ts';
import { startExchange } from './run.ts';

const port = await freePort();
const PUBLIC_URL = 'https://bidwell.test';
const app = await testApp({ MODERATION: 'auto', PORT: String(port), PUBLIC_URL });
const url = `http://127.0.0.1:${port}`;
await app.listen();

/** Wins nearly every auction. */
const BID = 15;
const IMPRESSIONS = 10;

test('a named exchange and a server that is played over http count the same money, and no bid is refused', async () => {
  const exchange = await freshExchange(app, {
    ...profileOf('unity').settings,
    timeout_ms: null,
    profile: 'unity',
  });
  const company = await app.freshCompany();
  await makeRunningCampaign(app, company, { adset: { bet_cpm: BID }, amount: 1000 });
  const access = { url, token: app.ctx.config.operatorToken, ssp: exchange.slug };
  const compare = await followMoney(access, () => app.clock.now.getTime());
  const stop = new AbortController();
  const played = startExchange({
    url,
    publicUrl: PUBLIC_URL,
    ssp: exchange.slug,
    secret: exchange.path.split('/').at(-1),
    requestsPerSecond: 40,
    steady: true,
    seed: 1,
    personality: { ...personalityOf('unity', 0.00001), tmaxMs: 20_000 },
    callTimeoutMs: 20_000,
    auctionsMax: 8,
    signal: stop.signal,
  });
  await expect.poll(() => played.counts().impressions >= IMPRESSIONS, { timeout: 60_000 }).toBe(true);
  stop.abort();
  await played.finished;
  await app.settled();
  const { spendMicros, rejectedBids, noticeFailures } = played.counts();
  expect([played.refusals(), rejectedBids, noticeFailures]).toEqual([[], 0, 0]);
  expect(spendMicros).toBeGreaterThan(0);
  expect(await compare(spendMicros)).toEqual({ exchange: spendMicros, server: spendMicros, isEqual: true });
});
