import type { ExchangeReview } from '@bidwell/contract/creatives/exchange-reviews';
import { changesOf } from '@bidwell/testing/advertising';
import { uploadBanner } from '@bidwell/testing/bidding';
import { type TestExchange, campaignOn, freshExchange } from '@bidwell/testing/exchange';
import { eventually } from '@bidwell/testing/eventually';
import {
  type GooglePage,
  startReviewCounterpart,
} from '@bidwell/testing/exchange-reviews/review-counterpart';
import { storeEvents } from '@bidwell/testing/stored-events';
import { type TestCompany, testApp } from '@bidwell/testing/test-app';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../../../context.ts';
import { startSession } from '../../identity/service.ts';
import { createMessenger } from '../../messaging/public.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { planWarehouseRuns, warehouseRuns } from '../../reporting/warehouse/export-run.ts';
import { planExchangeReviews, reviewSendMessages, reviewStateMessages } from './review-messages.ts';

const theirs = await startReviewCounterpart({ now: () => app.clock.now });
afterAll(() => theirs.close());
const app = await testApp({
  MODERATION: 'auto',
  PUBLIC_URL: 'https://bidwell.test',
  PARTNER_STAND_IN: theirs.origin,
  LOG_LEVEL: 'silent',
});
const { ctx } = app;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const begin = app.clock.now;
const pass = (ms: number) => (app.clock.now = new Date(app.clock.now.getTime() + ms));

beforeEach(async () => {
  app.clock.now = begin;
  Object.assign(theirs, {
    mood: 'usual',
    writesLeft: Number.POSITIVE_INFINITY,
    cutNextResponse: false,
    judge: () => {},
    changeGooglePage: (page: GooglePage) => page,
    changeXandrPage: (creatives: unknown[]) => creatives,
  });
  theirs.requests.length = 0;
  await ctx.db.deleteFrom('messages').execute();
  await ctx.db.deleteFrom('exchange_review_accounts').execute();
  await ctx.db.deleteFrom('exchange_reviews').execute();
  // The creatives of other tests take no turns.
  await ctx.db.updateTable('creatives').set({ archived_at: begin }).execute();
});

/** One round: what is due is queued and sent. */
async function round(context: Context = ctx): Promise<void> {
  await planExchangeReviews(ctx);
  const messenger = createMessenger(context, [reviewSendMessages, reviewStateMessages]);
  await messenger.tick();
  await messenger.idle();
}

/** Rounds for `ms`, each after `stepMs`. */
async function roundsFor(ms: number, stepMs = 5 * MINUTE): Promise<void> {
  for (let passed = 0; passed <= ms; passed += stepMs) {
    await round();
    pass(stepMs);
  }
}

/** An exchange with a connected review. */
async function reviewingExchange(profile: 'google' | 'xandr'): Promise<TestExchange> {
  const exchange = await freshExchange(app, { profile, name: profile === 'google' ? 'Google' : 'Xandr' });
  const { google, xandr } = theirs;
  const { status } = await app.operator('PUT', `/ssps/${exchange.slug}/review`, {
    is_enabled: true,
    ...(profile === 'google'
      ? { account: google.buyer, secret: google.key }
      : { account: xandr.member, login: xandr.username, secret: xandr.password }),
  });
  expect(status).toBe(200);
  await app.settled();
  return exchange;
}

/** Reads in a new session, since tests let more time pass than a session lasts. */
async function call(company: TestCompany, method: 'GET' | 'POST', path: string) {
  const { tokens } = await startSession(ctx, company);
  const response = await app.http.inject({
    method,
    url: `/api/internal${path}`,
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  return { status: response.statusCode, data: response.json().data };
}
const reviewsOf = async (company: TestCompany): Promise<ExchangeReview[]> =>
  (await call(company, 'GET', '/exchange-reviews')).data.reviews;
const stateOf = async (company: TestCompany, creative: string) =>
  (await reviewsOf(company)).find(({ creative_uuid: uuid }) => uuid === creative)?.state;
const theirsOf = (exchange: 'google' | 'xandr', id: string) =>
  theirs.creatives(exchange).find((creative) => creative.id === id);
const reasonOf = async (exchange: TestExchange) =>
  (await exchange.send({ ext: { nbr: 1 } })).json().ext.reason;

test.for(['google', 'xandr'] as const)(
  '%s: a creative is submitted once, and bid only while it is approved',
  async (profile) => {
    const exchange = await reviewingExchange(profile);
    const { company, creativeUuid } = await campaignOn(app, exchange);
    expect(await reasonOf(exchange)).toBe('creative_not_approved');
    await roundsFor(10 * MINUTE);
    expect(await stateOf(company, creativeUuid)).toBe('pending');
    expect(theirsOf(profile, creativeUuid)).toMatchObject({ writes: 1, state: 'pending' });
    expect(JSON.stringify(theirsOf(profile, creativeUuid)!.content)).toContain('https://bidwell.test/m/');
    expect(await reasonOf(exchange)).toBe('creative_not_approved');

    theirs.decide(profile, creativeUuid, 'approved');
    await roundsFor(20 * MINUTE);
    expect(await stateOf(company, creativeUuid)).toBe('approved');
    await app.settled();
    expect((await exchange.bid()).crid).toBe(creativeUuid);

    theirs.decide(profile, creativeUuid, 'disapproved', ['DESTINATION_NOT_WORKING']);
    await roundsFor(7 * 60 * MINUTE, 30 * MINUTE);
    await app.settled();
    expect(await reasonOf(exchange)).toBe('creative_not_approved');
    const [review] = await reviewsOf(company);
    expect(review).toMatchObject({ state: 'disapproved', reasons: ['DESTINATION_NOT_WORKING'] });
    const { data } = await call(company, 'GET', '/notifications');
    expect(data.filter(({ kind }: { kind: string }) => kind === 'exchange_review')).toMatchObject([
      { severity: 'warning', entity_type: 'creative', entity_uuid: creativeUuid },
    ]);
    const day = app.clock.now.toISOString().slice(0, 10);
    const found = await call(company, 'GET', `/findings/creatives?start_date=${day}&end_date=${day}`);
    expect(found.data.creatives[0].text).toContain('disapproved this creative: DESTINATION_NOT_WORKING.');
    expect(theirsOf(profile, creativeUuid)!.writes).toBe(1);
  },
);

test('a creative is submitted while a long export of its company is stored', async () => {
  const exchange = await reviewingExchange('google');
  const { company, creativeUuid } = await campaignOn(app, exchange);
  const destination = await company.call('POST', '/report-destinations', {
    type: 's3',
    name: 'Bucket',
    url: 'https://s3.example',
    region: 'us-east-1',
    bucket: 'events',
    prefix: '',
    access_key_id: 'key',
    secret_access_key: 'secret',
  });
  expect(destination.status).toBe(201);
  const made = { destination_uuid: destination.data.uuid, kinds: ['clicks', 'installs', 'losses'] };
  expect((await company.call('PUT', '/warehouse-export', made)).status).toBe(200);
  pass(DAY);
  await planWarehouseRuns(ctx);
  let puts = 0;
  const slow: Context = {
    ...ctx,
    async putObject(_place, _object, signal) {
      puts += 1;
      return new Promise((done) =>
        signal?.addEventListener('abort', () => done({ status: null, code: null, failure: 'timeout' })),
      );
    },
  };
  const messenger = createMessenger(slow, [warehouseRuns(slow), reviewSendMessages], { stopMs: 1 });
  await messenger.tick();
  await eventually(() => expect(puts).toBe(1));
  await planExchangeReviews(ctx);
  await messenger.tick();
  await eventually(async () => expect(await stateOf(company, creativeUuid)).toBe('pending'));
  expect(puts).toBe(1);
  await messenger.stop();
});

test('an exchange without a connected review takes every creative, as before', async () => {
  const exchange = await freshExchange(app, { profile: 'google' });
  const { company, creativeUuid } = await campaignOn(app, exchange);
  expect((await exchange.bid()).crid).toBe(creativeUuid);
  const { exchanges, reviews } = (await call(company, 'GET', '/exchange-reviews')).data;
  expect(exchanges.find(({ slug }: { slug: string }) => slug === exchange.slug).is_reviewed).toBe(false);
  expect(reviews).toEqual([]);
});

test.for(['google', 'xandr'] as const)(
  '%s: after an hour of faults and a lost response its store equals ours',
  async (profile) => {
    const exchange = await reviewingExchange(profile);
    const { company, appUuid, creativeUuid } = await campaignOn(app, exchange);
    const creatives = [creativeUuid, await uploadBanner(company, appUuid)];
    const faults = [
      { status: 503 },
      { status: 429, retryAfterSeconds: 120 },
      { status: 500 },
      { status: 429 },
    ] as const;
    for (let minute = 0; minute < 60; minute += 5) {
      theirs.mood = faults[(minute / 5) % faults.length]!;
      await round();
      pass(5 * MINUTE);
    }
    expect(await reviewsOf(company)).toMatchObject([{ state: 'not_sent' }, { state: 'not_sent' }]);
    expect((await app.operator('GET', `/ssps/${exchange.slug}/review`)).data.error).toContain('status');
    theirs.mood = 'usual';
    // The first response does not arrive: the exchange has the creative, and we do not know it.
    theirs.cutNextResponse = true;
    await roundsFor(6 * 60 * MINUTE, 10 * MINUTE);
    const own = theirs.creatives(profile).filter(({ id }) => creatives.includes(id));
    expect(own.map(({ writes }) => writes)).toEqual([1, 1]);
    for (const id of creatives) theirs.decide(profile, id, 'approved');
    await roundsFor(2 * 60 * MINUTE);
    expect((await reviewsOf(company)).map(({ state }) => state)).toEqual(['approved', 'approved']);
    expect(
      await ctx.db.selectFrom('messages').select('uuid').where('kind', '=', 'exchange_review').execute(),
    ).toEqual([]);
  },
);

test.for(['google', 'xandr'] as const)(
  '%s: a creative is not submitted twice where the process dies before it stores the outcome',
  async (profile) => {
    const exchange = await reviewingExchange(profile);
    const { company, creativeUuid } = await campaignOn(app, exchange);
    await planExchangeReviews(ctx);
    const [row] = await ctx.db
      .selectFrom('messages')
      .selectAll()
      .where('kind', '=', 'exchange_review')
      .execute();
    const message = { ...row!, companyId: row!.company_uuid, userId: null, content: null };
    const { signal } = new AbortController();
    // What the killed process did: the call, and nothing after it.
    await reviewSendMessages.send(ctx, message, { stopping: signal, cutOff: signal });
    expect(theirsOf(profile, creativeUuid)!.writes).toBe(1);
    expect(await stateOf(company, creativeUuid)).toBe('not_sent');
    await round();
    expect(await stateOf(company, creativeUuid)).toBe('pending');
    expect(theirsOf(profile, creativeUuid)!.writes).toBe(1);
  },
);

test('a creative that is sent while an exchange is asked for its states is asked for soon', async () => {
  const exchange = await reviewingExchange('google');
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await planExchangeReviews(ctx);
  const [row] = await ctx.db
    .deleteFrom('messages')
    .where('kind', '=', 'exchange_review_states')
    .returningAll()
    .execute();
  const message = { ...row!, companyId: null, userId: null, content: null };
  const { signal } = new AbortController();
  const asked = await reviewStateMessages.send(ctx, message, { stopping: signal, cutOff: signal });
  await round();
  await transact(ctx.db, async (tx) => asked.settle?.(tx, null));
  theirs.decide('google', creativeUuid, 'approved');
  await roundsFor(20 * MINUTE);
  expect(await stateOf(company, creativeUuid)).toBe('approved');
});

test('xandr: a creative of its list that cannot be read holds up no decision on the others', async () => {
  const exchange = await reviewingExchange('xandr');
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await roundsFor(10 * MINUTE);
  theirs.decide('xandr', creativeUuid, 'approved');
  const odd = [
    { id: 1, code: 'x'.repeat(300) },
    { id: 2, audit_feedback: 'x'.repeat(6000) },
    null,
    'creative',
  ];
  theirs.changeXandrPage = (creatives) => [...odd, ...creatives];
  await roundsFor(20 * MINUTE);
  expect(await stateOf(company, creativeUuid)).toBe('approved');
  expect((await app.operator('GET', `/ssps/${exchange.slug}/review`)).data.error).toBeNull();
});

test('google: a creative of its list that cannot be read holds up no decision on the others', async () => {
  const exchange = await reviewingExchange('google');
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await roundsFor(10 * MINUTE);
  theirs.decide('google', creativeUuid, 'approved');
  const odd = [{ creativeId: 'x'.repeat(300) }, { creativeId: 7 }, null, 'creative'];
  theirs.changeGooglePage = (page) => ({ ...page, creatives: [...odd, ...page.creatives] });
  await roundsFor(20 * MINUTE);
  expect(await stateOf(company, creativeUuid)).toBe('approved');
  expect((await app.operator('GET', `/ssps/${exchange.slug}/review`)).data.error).toBeNull();
});

test('google: a list whose pages all name the same next page is left until the next question', async () => {
  const exchange = await reviewingExchange('google');
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await roundsFor(10 * MINUTE);
  theirs.decide('google', creativeUuid, 'approved');
  theirs.changeGooglePage = (page) => ({ ...page, nextPageToken: '0' });
  theirs.requests.length = 0;
  pass(60 * MINUTE);
  await round();
  expect(await stateOf(company, creativeUuid)).toBe('approved');
  const lists = () =>
    theirs.requests.filter((request) => request.startsWith('GET ') && request.endsWith('/creatives'));
  expect(lists()).toHaveLength(2);
  pass(MINUTE);
  await round();
  expect(lists()).toHaveLength(2);
});

test('a new version starts as not sent, and an archived creative stops', async () => {
  const exchange = await reviewingExchange('google');
  theirs.judge = (creative) => (creative.state = 'approved');
  const { company, appUuid } = await campaignOn(app, exchange);
  const other = await uploadBanner(company, appUuid);
  await roundsFor(20 * MINUTE);
  expect(await stateOf(company, other)).toBe('approved');
  const { data } = await call(company, 'GET', '/internal_creative');
  const asset = data.internal_creatives.find(({ uuid }: { uuid: string }) => uuid === other);
  const { internal_creative: internal } = asset;
  await ctx.db
    .updateTable('internal_creatives')
    .set({ title: 'Another title' })
    .where('uuid', '=', internal.uuid)
    .execute();
  await ctx.db
    .updateTable('creatives')
    .set({ updated_at: app.clock.now })
    .where('uuid', '=', other)
    .execute();
  theirs.judge = () => {};
  theirs.mood = 'silent';
  await planExchangeReviews(ctx);
  expect(await stateOf(company, other)).toBe('not_sent');
  theirs.mood = 'usual';
  await roundsFor(5 * MINUTE);
  expect(await stateOf(company, other)).not.toBe('not_sent');
  const archived = await ctx.db
    .updateTable('creatives')
    .set({ archived_at: app.clock.now })
    .where('uuid', '=', other)
    .executeTakeFirst();
  expect(archived.numUpdatedRows).toBe(1n);
  await round();
  expect(await stateOf(company, other)).toBeUndefined();
});

test.for([
  ['google', 15],
  ['xandr', 14],
] as const)('%s: a creative that is not used is sent again before %i days', async ([profile, days]) => {
  const exchange = await reviewingExchange(profile);
  theirs.judge = (creative) => (creative.state = 'approved');
  const { company, appUuid, creativeUuid: shown } = await campaignOn(app, exchange);
  const unused = await uploadBanner(company, appUuid);
  await roundsFor(20 * MINUTE);
  const campaignId = shown;
  pass((days - 3) * DAY);
  await storeEvents(ctx, company.companyId, [
    {
      kind: 'impression',
      at: app.clock.now.toISOString(),
      appId: appUuid,
      campaignId,
      adsetId: shown,
      creativeId: shown,
      exchange: exchange.slug,
    },
  ]);
  await roundsFor(20 * MINUTE);
  expect([theirsOf(profile, unused)!.writes, theirsOf(profile, shown)!.writes]).toEqual([1, 1]);
  pass(DAY);
  await roundsFor(20 * MINUTE);
  expect([theirsOf(profile, unused)!.writes, theirsOf(profile, shown)!.writes]).toEqual([2, 1]);
  expect(await stateOf(company, unused)).toBe('approved');
});

test('a disapproved creative is sent again by a person, which the change log has', async () => {
  const exchange = await reviewingExchange('xandr');
  theirs.judge = (creative) => Object.assign(creative, { state: 'disapproved', reasons: ['No brand'] });
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await roundsFor(5 * MINUTE);
  const path = `/creative/${creativeUuid}/exchange-reviews/${exchange.slug}/send`;
  theirs.judge = (creative) => (creative.state = 'approved');
  expect(await call(company, 'POST', path)).toMatchObject({ status: 200, data: { state: 'not_sent' } });
  await roundsFor(5 * MINUTE);
  expect(await stateOf(company, creativeUuid)).toBe('approved');
  expect(theirsOf('xandr', creativeUuid)!.writes).toBe(2);
  expect((await call(company, 'POST', path)).status).toBe(409);
  expect(JSON.stringify(await changesOf(app, company, creativeUuid))).toContain('review at Xandr');
  const found = await app.operator('GET', `/ssps/${exchange.slug}/creative-reviews?state=approved`);
  expect(found.data.creatives).toMatchObject([{ creative_uuid: creativeUuid, state: 'approved' }]);
});

test('wrong credentials pause an exchange, and the operator reads why', async () => {
  const exchange = await reviewingExchange('xandr');
  await campaignOn(app, exchange);
  const input = { is_enabled: true, account: '958', login: 'reviews', secret: 'another' };
  await app.operator('PUT', `/ssps/${exchange.slug}/review`, input);
  await round();
  const read = async () => (await app.operator('GET', `/ssps/${exchange.slug}/review`)).data;
  expect(await read()).toMatchObject({ accepted_at: null, error: expect.stringContaining('credentials') });
  const before = theirs.requests.length;
  await round();
  expect(theirs.requests.length).toBe(before);
  expect(JSON.stringify(await read())).not.toContain('another');
});

test('google: a key that could not sign is refused when it is saved', async () => {
  const exchange = await reviewingExchange('google');
  const { buyer, key } = theirs.google;
  const whole = JSON.parse(key) as { private_key: string };
  const cut = JSON.stringify({ ...whole, private_key: whole.private_key.slice(0, 400) });
  const save = async (secret: string) =>
    app.operator('PUT', `/ssps/${exchange.slug}/review`, { is_enabled: true, account: buyer, secret });
  for (const secret of ['{"client_email":"a","private_key":"notakey"}', cut])
    expect(await save(secret)).toMatchObject({
      status: 422,
      errors: [{ field: 'secret', message: expect.stringContaining('private_key cannot be read') }],
    });
  expect(await save('notakey')).toMatchObject({
    status: 422,
    errors: [{ field: 'secret', message: expect.stringContaining('with client_email and private_key') }],
  });
  // The key of before is still there.
  const { company, creativeUuid } = await campaignOn(app, exchange);
  await round();
  expect(await stateOf(company, creativeUuid)).toBe('pending');
  expect((await save(key)).status).toBe(200);
});

test('the creatives of several companies are sent in turns, within a quota', async () => {
  const exchange = await reviewingExchange('google');
  const large = await campaignOn(app, exchange);
  for (let n = 0; n < 10; n += 1) await uploadBanner(large.company, large.appUuid);
  const small = await campaignOn(app, exchange);
  await round();
  expect(theirsOf('google', small.creativeUuid)).toBeDefined();
  theirs.writesLeft = 2;
  await roundsFor(10 * MINUTE);
  theirs.writesLeft = Number.POSITIVE_INFINITY;
  await roundsFor(60 * MINUTE);
  expect((await reviewsOf(large.company)).map(({ state }) => state)).toEqual(
    Array.from({ length: 11 }, () => 'pending'),
  );
});
