import { gunzipSync, gzipSync } from 'node:zlib';
import {
  type ExchangeCase,
  type NoticeCase,
  caseChecks,
  exchangeCases,
  filledNotice,
  preparedCase,
} from '@bidwell/contract/operator/exchange-cases';
import type { ReceivedResponse } from '@bidwell/contract/operator/exchange-judge';
import { exchangeProfiles, profileOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import { toMicros } from '@bidwell/contract/lib/money';
import { makeRunningCampaign } from '@bidwell/testing/bidding';
import { type TestExchange, freshExchange } from '@bidwell/testing/exchange';
import { testApp } from '@bidwell/testing/test-app';
import { beforeAll, expect, test } from 'vitest';
import { encryptedPrice } from './encrypted-price.ts';

const app = await testApp({ MODERATION: 'auto', PUBLIC_URL: 'https://bidwell.test' });

const keys = { encryption: Buffer.alloc(32, 1), integrity: Buffer.alloc(32, 2) };
const exchanges = new Map<ProfileSlug, TestExchange>();
/** Ids of creatives by type. */
const creatives = new Map<string, string>();

beforeAll(async () => {
  const company = await app.freshCompany();
  for (const type of ['Banner', 'Video', 'Playable'] as const)
    creatives.set(type, (await makeRunningCampaign(app, company, { creative: type })).creativeUuid);
  for (const { profile, settings } of exchangeCases)
    exchanges.set(
      profile,
      await freshExchange(app, {
        ...profileOf(profile).settings,
        ...(profileOf(profile).settings.price_format === 'google-encrypted' && {
          price_encryption_key: keys.encryption.toString('base64'),
          price_integrity_key: keys.integrity.toString('base64'),
        }),
        ...settings,
        profile,
      }),
    );
});

const cases = exchangeCases.flatMap(({ profile, cases: own }) =>
  own.map((one): [string, ProfileSlug, ExchangeCase] => [`${profile}: ${one.title}`, profile, one]),
);

test('each named exchange has cases', () => {
  expect(exchangeCases.map(({ profile }) => profile).sort()).toEqual(
    exchangeProfiles
      .map(({ slug }) => slug)
      .filter((slug) => slug !== 'openrtb')
      .sort(),
  );
});

test.each(cases)('%s', async (_name, profile, stated) => {
  const one = preparedCase(stated, { banner: creatives.get('Banner')! });
  const response = await send(profile, one);
  expect(caseChecks(profile, one, response).filter(({ fault }) => fault !== null)).toEqual([]);
  if (one.bid === null) return;
  const [bid] = JSON.parse(response.body).seatbid[0].bid;
  expect(bid.crid).toBe(creatives.get(one.bid));
  for (const notice of one.notices) await call(profile, bid, notice);
  await app.settled();
  expect(await eventsOf(bid.id)).toEqual(one.notices.map(storedAs).sort(byKind));
});

/** Sends the request of a case as its exchange does. */
async function send(
  profile: ProfileSlug,
  { request, headers, gzip }: ExchangeCase,
): Promise<ReceivedResponse> {
  const text = JSON.stringify(request);
  const response = await exchanges.get(profile)!.post(gzip ? gzipSync(text) : text, {
    ...headers,
    ...(gzip && { 'content-encoding': 'gzip' }),
  });
  const encoding = response.headers['content-encoding'] ?? '';
  const body = encoding === 'gzip' ? gunzipSync(response.rawPayload).toString() : response.body;
  // A busy machine is no fault of the response.
  return { status: response.statusCode, encoding, body, tookMs: null };
}

/** Sends a notice of a bid with its macros filled. */
async function call(profile: ProfileSlug, bid: Record<string, string>, notice: NoticeCase): Promise<void> {
  const { macros } = notice;
  const price = macros['AUCTION_PRICE'];
  const isEncrypted = profileOf(profile).settings.price_format === 'google-encrypted';
  const filled = filledNotice(bid[FIELDS[notice.notice]]!, {
    macros: {
      ...macros,
      ...(price && isEncrypted && { AUCTION_PRICE: encryptedPrice(toMicros(Number(price)), keys) }),
    },
  });
  const { pathname, search } = new URL(filled);
  expect((await app.http.inject(pathname + search)).statusCode).toBe(200);
}

const FIELDS = { win: 'nurl', billing: 'burl', loss: 'lurl' } as const;

interface StoredEvent {
  kind: string;
  spend: number;
  code: number;
  price: number;
}

const storedAs = ({ notice, charged_micros, loss_code, min_to_win }: NoticeCase): StoredEvent => ({
  kind: notice,
  spend: charged_micros,
  code: loss_code,
  price: min_to_win,
});

const byKind = (a: StoredEvent, b: StoredEvent): number => a.kind.localeCompare(b.kind);

async function eventsOf(bidId: string): Promise<readonly StoredEvent[]> {
  return app.ctx.clickhouse.query<StoredEvent & object>(
    `select kind, spend_micros as spend, loss_reason as code, min_to_win_cpm_micros / 1e6 as price
     from events where bid_id = {bid:UUID} order by kind`,
    { bid: bidId },
  );
}
