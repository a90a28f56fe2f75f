import fc from 'fast-check';
import { pino } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { recordCorrections } from '../modules/money/spend-corrections.ts';
import { postSpend } from '../modules/money/posting.ts';
import { make, makeAdsetParts } from '@bidwell/testing/advertising';
import { transact } from '../platform/postgres/transaction.ts';
import { countStatements } from '@bidwell/testing/engines/statements';
import { storeEvents } from '@bidwell/testing/stored-events';
import { testApp } from '@bidwell/testing/test-app';
import {
  type CorrectorDeps,
  createSpendCorrector,
  reconcileNewCountries,
  spendCorrector,
} from './correct-spend.ts';
import { arePositionsStored, bookedPositions } from './pacing/spend-correction-store.ts';

const DAY = '2026-05-01';
const CAMPAIGN = 'campaign';
const ADSETS = ['one', 'other'];

/** A charge, which is booked before it is stored. */
interface Charge {
  adset: string;
  micros: number;
  atMs: number;
  is: 'retained' | 'stored' | 'lost';
}

/** Charges in memory, of which some may be booked twice. */
function chargesInMemory() {
  let clockMs = 1000;
  let posted = 0;
  const charges: Charge[] = [];
  const booked = new Map<string, number>();
  const add = (adset: string, micros: number) => booked.set(adset, (booked.get(adset) ?? 0) + micros);
  const sumOf = (adset: string, states: readonly Charge['is'][]) =>
    charges.reduce(
      (sum, one) => (one.adset === adset && states.includes(one.is) ? sum + one.micros : sum),
      0,
    );
  const deps: CorrectorDeps = {
    now: () => new Date((clockMs += 1)),
    booked: async () =>
      new Map([...booked].map(([id, micros]) => [id, { everMicros: micros, day: DAY, dayMicros: micros }])),
    positions: async () => [],
    arePositionsStored: async () => true,
    countedByAllMs: async () => charges.find(({ is }) => is === 'retained')?.atMs ?? deps.now().getTime(),
    stored: async () =>
      ADSETS.map((adsetId) => ({
        adsetId,
        campaignId: CAMPAIGN,
        spentMicros: sumOf(adsetId, ['stored']),
      })),
    storedToday: async () => new Map(ADSETS.map((id) => [id, sumOf(id, ['stored'])])),
    owners: async (ids) => ids.map((adsetId) => ({ adsetId, companyId: 'company', name: adsetId })),
    posted: async () => [{ campaignId: CAMPAIGN, micros: posted }],
    lower: async (excesses) => {
      for (const { adsetId, micros, dayMicros } of excesses) {
        expect(dayMicros).toBeLessThanOrEqual(micros);
        add(adsetId, -micros);
      }
    },
  };
  return {
    deps,
    booked,
    sumOf,
    book(adset: string, micros: number) {
      add(adset, micros);
      charges.push({ adset, micros, atMs: deps.now().getTime(), is: 'retained' });
    },
    bookAgain(index: number) {
      const charge = charges[index % Math.max(1, charges.length)];
      if (charge) add(charge.adset, charge.micros);
    },
    end(index: number, is: 'stored' | 'lost') {
      const open = charges.filter((charge) => charge.is === 'retained');
      const charge = open[index % Math.max(1, open.length)];
      if (charge) charge.is = is;
    },
    isOpen: () => charges.some(({ is }) => is === 'retained'),
    setPosted: (micros: number) => (posted = micros),
  };
}

const Step = fc.oneof(
  fc.record({
    do: fc.constant('book' as const),
    adset: fc.constantFrom(...ADSETS),
    micros: fc.integer({ min: 1, max: 1e9 }),
  }),
  fc.record({ do: fc.constantFrom('again', 'stored', 'lost', 'step'), index: fc.nat(20) }),
);

test('booked spend never falls below the spend that is or may be stored, and ends equal to the stored spend', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(Step, { maxLength: 60 }), async (steps) => {
      const charges = chargesInMemory();
      const step = createSpendCorrector(charges.deps);
      for (const one of steps) {
        if ('adset' in one) charges.book(one.adset, one.micros);
        else if (one.do === 'again') charges.bookAgain(one.index);
        else if (one.do === 'step') await step();
        else charges.end(one.index, one.do as 'stored' | 'lost');
        for (const id of ADSETS)
          expect(charges.booked.get(id) ?? 0).toBeGreaterThanOrEqual(
            charges.sumOf(id, ['stored', 'retained']),
          );
      }
      while (charges.isOpen()) charges.end(0, 'stored');
      for (let turn = 0; turn < 6; turn += 1) await step();
      for (const id of ADSETS) expect(charges.booked.get(id) ?? 0).toBe(charges.sumOf(id, ['stored']));
    }),
  );
});

test('while events are not counted, or more is posted than stored, nothing is lowered', async () => {
  const charges = chargesInMemory();
  const step = createSpendCorrector(charges.deps);
  charges.book('one', 500);
  charges.bookAgain(0);
  const bookedAfter = async (steps: number) => {
    for (let turn = 0; turn < steps; turn += 1) await step();
    return charges.booked.get('one');
  };
  expect(await bookedAfter(6)).toBe(1000);
  charges.end(0, 'stored');
  charges.setPosted(501);
  expect(await bookedAfter(6)).toBe(1000);
  charges.setPosted(500);
  expect(await bookedAfter(3)).toBe(500);
});

const app = await testApp();

test('messages that a counter has booked and not stored are in flight', async () => {
  const { db } = app.ctx;
  const [counted, former] = [`counted ${uuidv4()}`, `former ${uuidv4()}`];
  await sql`
    insert into event_counters (uuid, stream, seen_at) values (gen_random_uuid(), ${counted}, clock_timestamp())`.execute(
    db,
  );
  onTestFinished(async () => {
    await sql`delete from event_counters where stream = ${counted}`.execute(db);
  });
  await sql`
    insert into event_partitions (stream, partition, booked_seq, stored_seq)
    values (${counted}, 0, 7, 7), (${counted}, 1, 9, 8), (${former}, 0, 5, 0)`.execute(db);
  const positions = (await bookedPositions(db)).filter(({ stream }) => [counted, former].includes(stream));
  expect(positions).toHaveLength(2);
  expect(await arePositionsStored(db, positions)).toBe(false);
  await sql`update event_partitions set booked_seq = 12, stored_seq = 9 where stream = ${counted} and partition = 1`.execute(
    db,
  );
  expect(await arePositionsStored(db, positions)).toBe(true);
});

/** Two campaigns of a fresh company with an ad set in each, and calls that spend, book and correct. */
async function spendingCompany() {
  const { ctx } = app;
  const { db, clickhouse, now } = ctx;
  const company = await app.freshCompany();
  const { companyId } = company;
  const { body, appUuid } = await makeAdsetParts(app, company);
  const makeAdset = (name: string) => make(company, '/adset', { ...body, name });
  const makeCampaign = (name: string, adsetIds: readonly string[]) =>
    make(company, '/campaign', { name, app_uuid: appUuid, adset_uuids: adsetIds });
  const at = now().toISOString();
  const step = spendCorrector(
    {
      db,
      clickhouse,
      now,
      log: pino({ level: 'silent' }),
      intake: { countedByAllMs: async () => Infinity },
      recordCorrections: (tx, corrections) => recordCorrections(ctx, tx, corrections),
    },
    { timeZone: () => 'UTC' },
  );
  return {
    company,
    makeAdset,
    makeCampaign,
    step,
    /** Stores an impression with this spend. */
    spend: (campaignId: string, adsetId: string, spendMicros: number) =>
      storeEvents(ctx, companyId, [{ at, kind: 'impression', campaignId, adsetId, spendMicros }]),
    book: (adsetId: string, micros: number) =>
      db
        .insertInto('adset_spend')
        .values({
          adset_uuid: adsetId,
          company_uuid: companyId,
          ever_micros: micros,
          day: at.slice(0, 10),
          day_micros: micros,
        })
        .execute(),
    async booked(adsetId: string) {
      const row = await db
        .selectFrom('adset_spend')
        .select(['ever_micros', 'day_micros'])
        .where('adset_uuid', '=', adsetId)
        .executeTakeFirstOrThrow();
      return [row.ever_micros, row.day_micros];
    },
    async spendOfCompany() {
      const { rows } = await sql<{ micros: string }>`
        select micros::text from company_spend where company_uuid = ${companyId}`.execute(db);
      return Number(rows[0]!.micros);
    },
  };
}

test('spend booked twice is taken off the ad set and its company, and operators see it', async () => {
  const { company, makeAdset, makeCampaign, spend, book, booked, spendOfCompany, step } =
    await spendingCompany();
  const adsetId = await makeAdset('First ad set');
  await spend(await makeCampaign('Spring', [adsetId]), adsetId, 2_000_000);
  await postSpend(app.ctx);
  await book(adsetId, 4_500_000);
  await step();
  await step();
  expect(await booked(adsetId)).toEqual([4_500_000, 4_500_000]);
  await step();
  expect(await booked(adsetId)).toEqual([2_000_000, 2_000_000]);
  expect(await spendOfCompany()).toBe(2_000_000);
  const { data } = await app.operator('GET', `/acts?company_uuid=${company.companyId}`);
  expect(data.acts).toMatchObject([
    {
      operator: 'server',
      action: 'Corrected spend',
      entity: 'adset',
      entity_uuid: adsetId,
      company_uuid: company.companyId,
      before: { spent: 4.5 },
      after: { spent: 2 },
    },
  ]);
});

test('spend of an ad set that left its campaign stays booked after the retention has deleted its events', async () => {
  const { company, makeAdset, makeCampaign, spend, book, booked, spendOfCompany, step } =
    await spendingCompany();
  const [detached, moved, other] = [
    await makeAdset('Detached'),
    await makeAdset('Moved'),
    await makeAdset('Other'),
  ];
  const former = await makeCampaign('Former', [detached, moved]);
  const current = await makeCampaign('Current', [other]);
  await spend(former, detached, 3_000_000);
  await spend(former, moved, 2_000_000);
  await spend(current, other, 1_000_000);
  await postSpend(app.ctx);
  await book(detached, 3_000_000);
  await book(moved, 2_000_000);
  await book(other, 1_000_000);
  await company.call('PUT', `/campaign/${former}`, { adset_uuids: [] });
  await company.call('PUT', `/campaign/${current}`, { adset_uuids: [other, moved] });
  await app.ctx.clickhouse.command(
    `alter table events delete where campaign_id = '${former}' settings mutations_sync = 1`,
  );
  for (let turn = 0; turn < 3; turn += 1) await step();
  expect(await booked(detached)).toEqual([3_000_000, 3_000_000]);
  expect(await booked(moved)).toEqual([2_000_000, 2_000_000]);
  expect(await spendOfCompany()).toBe(6_000_000);
});

test('booked spend of a company of which the ledger has posted nothing is left alone', async () => {
  const { makeAdset, book, booked, step } = await spendingCompany();
  const adsetId = await makeAdset('Unposted');
  await book(adsetId, 3_000_000);
  for (let turn = 0; turn < 3; turn += 1) await step();
  expect(await booked(adsetId)).toEqual([3_000_000, 3_000_000]);
});

test('corrections of many ad sets are logged by one statement, since it holds up the booking of spend', async () => {
  const { companyId } = await app.freshCompany();
  const corrections = Array.from({ length: 30 }, (_, index) => ({
    adsetId: uuidv4(),
    companyId,
    name: `Ad set ${index}`,
    beforeMicros: 2_000_000,
    afterMicros: 1_000_000,
  }));
  const ctx = { ...app.ctx };
  const statements = await countStatements(ctx, () =>
    transact(ctx.db, (tx) => recordCorrections(ctx, tx, corrections)),
  );
  expect(statements).toBe(1);
  const { data } = await app.operator('GET', `/acts?company_uuid=${companyId}`);
  expect(data.total).toBe(30);
});

test('a new daily budget of a country counts what was spent there earlier in the day', async () => {
  const { ctx } = app;
  const { companyId } = await app.freshCompany();
  const adsetId = uuidv4();
  const nowMs = ctx.now().getTime();
  const spent = (country: string, spendMicros: number, hoursAgo = 0) => ({
    at: new Date(nowMs - hoursAgo * 3_600_000).toISOString(),
    kind: 'impression' as const,
    adsetId,
    country,
    spendMicros,
  });
  await storeEvents(ctx, companyId, [
    spent('JP', 700),
    spent('JP', 50),
    spent('JP', 9, 25),
    spent('DE', 200),
  ]);
  const account = { adset_uuid: adsetId, company_uuid: companyId, day: ctx.now().toISOString().slice(0, 10) };
  await ctx.db
    .insertInto('country_spend')
    .values(['JP', 'FR'].map((country) => ({ ...account, country, day_micros: 60 })))
    .execute();
  await reconcileNewCountries(ctx, { timeZone: () => 'UTC' });
  const rows = await ctx.db
    .selectFrom('country_spend')
    .select(['country', 'day_micros'])
    .where('adset_uuid', '=', adsetId)
    .orderBy('country')
    .execute();
  expect(rows).toEqual([
    { country: 'FR', day_micros: 60 },
    { country: 'JP', day_micros: 750 },
  ]);
});
