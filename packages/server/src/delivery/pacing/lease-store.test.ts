import fc from 'fast-check';
import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import { afterAll, describe, expect, test } from 'vitest';
import { candidateOf } from '@bidwell/testing/pacing/candidates';
import { emptyPostgres } from '@bidwell/testing/empty-engines';
import { MemoryLeases } from '@bidwell/testing/pacing/memory-leases';
import { migratedDatabase } from '@bidwell/testing/engines/postgres-server';
import { runs } from '@bidwell/testing/whole-run';
import { type Database, openPostgres } from '../../platform/postgres/client.ts';
import { bookBatches, countrySpends, postgresLeases, raiseCountrySpend, raiseSpend } from './lease-store.ts';
import {
  type BidOutcome,
  ENDED_MS,
  LEASE_MS,
  type Lease,
  type LeaseRequest,
  type LeaseResponse,
  RESERVATION_MS,
  SILENCE_MS,
  type Spend,
  tagOf,
} from './leases.ts';
import { addOffers, readOffers } from './traffic-profile.ts';

/** Operations of a lease store that the cases use, for each implementation. */
interface Store {
  sync(bidderId: string, requests: readonly LeaseRequest[], lagMs?: number): Promise<LeaseResponse>;
  book(spends: readonly Spend[], outcomes?: readonly (BidOutcome & { bidderId: string })[]): Promise<void>;
  /** Advances the clock for all bidders that sent a request before. */
  pass(ms: number): Promise<void>;
}

function memory(): Store {
  // At noon, so that no test passes into the next day.
  let nowMs = new Date().setUTCHours(12, 0, 0, 0);
  const leases = new MemoryLeases(() => nowMs);
  return {
    sync: (bidderId, requests, lagMs) => leases.sync(bidderId, requests, lagMs),
    book: async (spends, outcomes = []) => leases.book(spends, outcomes),
    pass: async (ms) => void (nowMs += ms),
  };
}

function postgres(db: Database): Store {
  return {
    ...postgresLeases(db, 0),
    book: (spends, outcomes = []) => bookBatches(db, [{ batch: uuidv4(), spends, outcomes }], []),
    async pass(ms) {
      const back = sql<Date>`seen_at - ${`${ms} milliseconds`}::interval`;
      await db.updateTable('bidders').set({ seen_at: back }).execute();
    },
  };
}

const embedded = await openPostgres({ embedded: await emptyPostgres() });
afterAll(() => embedded.destroy());
const server = await migratedDatabase(process.env['DATABASE_URL']);
const serverDb = server && (await openPostgres({ url: server.url }));
afterAll(async () => {
  await serverDb?.destroy();
  await server?.remove();
});

/** A store whose other bidders have expired; they would take a share of the rest. */
async function alone(store: Store): Promise<Store> {
  await store.pass(LEASE_MS + 1000);
  return store;
}

const stores: [string, () => Promise<Store>][] = [
  ['memory', async () => memory()],
  ['PGlite', () => alone(postgres(embedded))],
  ...(serverDb ? [['PostgreSQL', () => alone(postgres(serverDb))] as [string, () => Promise<Store>]] : []),
];

/** An ad set in a company of its own. */
function freshAdset() {
  const { adsetId, timeZone } = candidateOf();
  return { adsetId, companyId: uuidv4(), timeZone };
}
function requestFor(adset: ReturnType<typeof freshAdset>, over: Partial<LeaseRequest> = {}): LeaseRequest {
  return {
    ...adset,
    minimumMicros: 0,
    requestedMicros: 400,
    reservedMicros: 0,
    reservedMs: RESERVATION_MS,
    expectedMicros: 0,
    unitMicros: 100,
    dailyBudgetMicros: null,
    totalBudgetMicros: null,
    fundsMicros: 1_000_000,
    sharePerSecond: null,
    ...over,
  };
}
const leaseOf = async (store: Store, bidder: string, request: LeaseRequest): Promise<Lease> =>
  (await store.sync(bidder, [request])).leases[0]!;

describe.each(stores)('leases in %s', (_name, make) => {
  test('all bidders together get at most what each limit leaves', async () => {
    for (const [bound, over] of [
      ['daily_budget', { dailyBudgetMicros: 1000 }],
      ['total_budget', { totalBudgetMicros: 1000 }],
      ['balance', { fundsMicros: 1000 }],
    ] as const) {
      const store = await make();
      const adset = freshAdset();
      let leased = 0;
      for (let bidder = 0; bidder < 12; bidder += 1)
        leased += (await leaseOf(store, uuidv4(), requestFor(adset, over))).micros;
      expect(leased).toBeGreaterThan(900);
      expect(leased).toBeLessThanOrEqual(1000);
      expect(await leaseOf(store, uuidv4(), requestFor(adset, over))).toMatchObject({ micros: 0, bound });
    }
  });

  test('a request that reserves less than nothing gets no lease, and changes none', async () => {
    const store = await make();
    const [adset, bidder] = [freshAdset(), uuidv4()];
    await expect(store.sync(bidder, [requestFor(adset, { reservedMicros: -1 })])).rejects.toThrow(
      'below zero',
    );
    await expect(store.sync(bidder, [requestFor(adset, { minimumMicros: -500 })])).rejects.toThrow(
      'below zero',
    );
    expect(await leaseOf(store, bidder, requestFor(adset))).toMatchObject({ micros: 400 });
  });

  test("a company's funds limit all its ad sets together", async () => {
    const store = await make();
    const first = freshAdset();
    const second = { ...freshAdset(), companyId: first.companyId };
    const bidder = uuidv4();
    const over = { fundsMicros: 500 };
    const { leases } = await store.sync(bidder, [requestFor(first, over), requestFor(second, over)]);
    const [one, two] = leases.map(({ micros }) => micros);
    expect(one! + two!).toBeLessThanOrEqual(500);
    await store.book([{ ...first, micros: 450 }]);
    const { leases: after } = await store.sync(bidder, [
      requestFor(first, { ...over, requestedMicros: 0 }),
      requestFor(second, over),
    ]);
    expect(after).toMatchObject([{ micros: 0 }, { micros: 0, bound: 'balance' }]);
  });

  test('each bidder gets the number of bidders, without those that stopped answering', async () => {
    const store = await make();
    await store.pass(SILENCE_MS + 1000);
    const [one, two] = [uuidv4(), uuidv4()];
    expect((await store.sync(one, [])).bidders).toBe(1);
    expect((await store.sync(two, [])).bidders).toBe(2);
    await store.pass(SILENCE_MS + 1000);
    expect((await store.sync(two, [])).bidders).toBe(1);
  });

  test('returned money is available to others; the rest is not', async () => {
    const store = await make();
    const adset = freshAdset();
    const over = { totalBudgetMicros: 400 };
    const [one, two] = [uuidv4(), uuidv4()];
    expect((await leaseOf(store, one, requestFor(adset, over))).micros).toBe(400);
    expect((await leaseOf(store, two, requestFor(adset, over))).micros).toBe(0);
    await leaseOf(store, one, requestFor(adset, { ...over, minimumMicros: 150, requestedMicros: 150 }));
    const given = await leaseOf(store, two, requestFor(adset, over));
    expect(given.micros).toBeGreaterThanOrEqual(100);
    expect(given.micros).toBeLessThanOrEqual(250);
  });

  test('reservations of a killed bidder stay leased until they expire, the rest is free after 30 seconds', async () => {
    const store = await make();
    const adset = freshAdset();
    const over = { totalBudgetMicros: 100_000, unitMicros: 10, requestedMicros: 100_000 };
    const killed = uuidv4();
    await leaseOf(store, killed, requestFor(adset, { ...over, requestedMicros: 1000 }));
    await leaseOf(
      store,
      killed,
      requestFor(adset, {
        ...over,
        minimumMicros: 1000,
        requestedMicros: 1000,
        reservedMicros: 600,
        expectedMicros: 50,
      }),
    );
    const room = async () =>
      (await leaseOf(store, uuidv4(), requestFor(adset, { ...over, requestedMicros: 0 }))).roomMicros;
    await store.pass(ENDED_MS - 2000);
    expect(await room()).toBe(99_000);
    await store.pass(4000);
    expect(await room()).toBe(99_350);
    await store.pass(RESERVATION_MS - ENDED_MS);
    expect(await room()).toBe(99_350);
    await store.pass(SILENCE_MS);
    expect(await room()).toBe(100_000);
  });

  test('bids of a killed bidder in a country free its daily budget as they end, and the rest after 30 seconds', async () => {
    const store = await make();
    const adset = freshAdset();
    const killed = uuidv4();
    const request = requestFor(adset, { country: 'JP', dailyBudgetMicros: 100_000, unitMicros: 10 });
    await leaseOf(store, killed, { ...request, requestedMicros: 1000 });
    await leaseOf(store, killed, {
      ...request,
      minimumMicros: 1000,
      requestedMicros: 1000,
      reservedMicros: 600,
    });
    const room = async () => (await leaseOf(store, uuidv4(), { ...request, requestedMicros: 0 })).roomMicros;
    expect(await room()).toBe(99_000);
    await store.pass(ENDED_MS + 2000);
    expect(await room()).toBe(99_400);
    const bidId = `${uuidv4().slice(0, -8)}${tagOf(killed)}`;
    const held = { adsetId: adset.adsetId, country: 'JP', micros: 500 };
    await store.book(
      [{ ...adset, country: 'JP', micros: 400 }],
      [{ bidId, charged: true, held, bidderId: killed }],
    );
    expect(await room()).toBe(99_500);
    await store.pass(RESERVATION_MS + SILENCE_MS);
    expect(await room()).toBe(99_600);
  });

  test('a lease of a country is no part of the funds of its company', async () => {
    const store = await make();
    const adset = freshAdset();
    const over = { fundsMicros: 1000, unitMicros: 10 };
    const bidder = uuidv4();
    await leaseOf(store, bidder, requestFor(adset, { ...over, country: 'JP', dailyBudgetMicros: 5000 }));
    await store.book([{ ...adset, country: 'JP', micros: 100 }]);
    expect(await leaseOf(store, bidder, requestFor(adset, over))).toMatchObject({
      micros: 400,
      roomMicros: 500,
    });
  });

  test('reservations of a killed bidder end after the time that its bids reserve money for', async () => {
    const store = await make();
    const [quick, slow] = [freshAdset(), freshAdset()];
    const over = { totalBudgetMicros: 1000, unitMicros: 10, reservedMicros: 1000 };
    const killed = uuidv4();
    const requests = [quick, slow].map((adset) => requestFor(adset, { ...over, requestedMicros: 1000 }));
    await store.sync(killed, [{ ...requests[0]!, reservedMs: 45_000 }, requests[1]!]);
    const rooms = async (lagMs = 0) => {
      const releases = requests.map((request) => ({ ...request, requestedMicros: 0, reservedMicros: 0 }));
      const { leases } = await store.sync(uuidv4(), releases, lagMs);
      return leases.map(({ roomMicros }) => roomMicros);
    };
    await store.pass(SILENCE_MS + 45_000 - 2000);
    expect(await rooms()).toEqual([0, 0]);
    await store.pass(4000);
    expect(await rooms(60_000)).toEqual([0, 0]);
    expect(await rooms()).toEqual([1000, 0]);
  });

  test('reservations of a killed bidder do not end while its notices may not be counted yet', async () => {
    const store = await make();
    const adset = freshAdset();
    const over = { totalBudgetMicros: 100_000, unitMicros: 10 };
    await leaseOf(
      store,
      uuidv4(),
      requestFor(adset, { ...over, requestedMicros: 1000, reservedMicros: 1000 }),
    );
    const room = async (lagMs: number) => {
      const { leases } = await store.sync(
        uuidv4(),
        [requestFor(adset, { ...over, requestedMicros: 0 })],
        lagMs,
      );
      return leases[0]!.roomMicros;
    };
    await store.pass(SILENCE_MS + RESERVATION_MS + 60_000);
    expect(await room(120_000)).toBe(99_000);
    expect(await room(30_000)).toBe(100_000);
  });

  test('a reservation of a killed bidder is free once it is charged or lost, also with repeated notices', async () => {
    const store = await make();
    const adset = freshAdset();
    const killed = uuidv4();
    const over = { totalBudgetMicros: 100_000, unitMicros: 10 };
    await leaseOf(store, killed, requestFor(adset, { ...over, requestedMicros: 1000, reservedMicros: 1000 }));
    const room = async () =>
      (await leaseOf(store, uuidv4(), requestFor(adset, { ...over, requestedMicros: 0 }))).roomMicros;
    await store.pass(ENDED_MS + 1000);
    expect(await room()).toBe(99_000);
    const bidOf = () => uuidv4().slice(0, 28) + tagOf(killed);
    const held = { adsetId: adset.adsetId, micros: 300 };
    const won = { bidderId: killed, bidId: bidOf(), charged: true, held };
    const lost = { bidderId: killed, bidId: bidOf(), charged: false, held };
    await store.book([{ ...adset, micros: 200 }], [won, lost, won]);
    expect(await room()).toBe(99_400);
    await store.book([], [lost]);
    expect(await room()).toBe(99_400);
    await store.book(
      [],
      [{ bidderId: killed, bidId: bidOf(), charged: true, held: { ...held, micros: 5000 } }],
    );
    expect(await room()).toBe(99_800);
  });

  test('a bidder that was considered dead comes back with its reservations', async () => {
    const store = await make();
    const adset = freshAdset();
    const [slow, other] = [uuidv4(), uuidv4()];
    const over = { totalBudgetMicros: 1000, unitMicros: 10 };
    await leaseOf(store, slow, requestFor(adset, { ...over, requestedMicros: 1000, reservedMicros: 600 }));
    await store.pass(ENDED_MS + 1000);
    const given = await leaseOf(store, other, requestFor(adset, { ...over, requestedMicros: 1000 }));
    const back = await leaseOf(
      store,
      slow,
      requestFor(adset, { ...over, minimumMicros: 600, reservedMicros: 600 }),
    );
    expect(given.micros).toBeGreaterThan(0);
    expect(back.micros + given.micros).toBeLessThanOrEqual(1000);
    expect(back.micros).toBeGreaterThanOrEqual(600);
  });

  test('daily spend counts today only, total spend counts all days', async () => {
    const store = await make();
    const adset = freshAdset();
    await store.book([{ ...adset, micros: 300 }]);
    await store.book([{ ...adset, micros: 200 }]);
    const bidder = uuidv4();
    const room = async (over: Partial<LeaseRequest>) =>
      (await leaseOf(store, bidder, requestFor(adset, { requestedMicros: 0, ...over }))).roomMicros;
    expect(await room({ dailyBudgetMicros: 1000 })).toBe(500);
    expect(await room({ totalBudgetMicros: 700 })).toBe(200);
    expect(await room({ fundsMicros: 400 })).toBe(-100);
  });

  test('a bidder gets the outcome of its own bids once, and of no others', async () => {
    const store = await make();
    const adset = freshAdset();
    const [one, two] = [uuidv4(), uuidv4()];
    const bidOf = (bidderId: string) => uuidv4().slice(0, 28) + tagOf(bidderId);
    const won = { bidderId: one, bidId: bidOf(one), charged: true };
    const lost = { bidderId: one, bidId: bidOf(one), charged: false };
    const other = { bidderId: two, bidId: bidOf(two), charged: true };
    await store.book([{ ...adset, micros: 1 }], [won, other, lost]);
    const { outcomes } = await store.sync(one, []);
    expect(outcomes.map(({ bidId, charged }) => ({ bidId, charged }))).toEqual([
      { bidId: won.bidId, charged: true },
      { bidId: lost.bidId, charged: false },
    ]);
    expect((await store.sync(one, [])).outcomes).toEqual([]);
    expect((await store.sync(two, [])).outcomes).toMatchObject([{ bidId: other.bidId }]);
  });

  test('the pacing rate of an ad set is the same for all bidders', async () => {
    const store = await make();
    const adset = freshAdset();
    const over = { dailyBudgetMicros: 1_000_000, sharePerSecond: 1 / 86_400 };
    const first = await leaseOf(store, uuidv4(), requestFor(adset, over));
    expect(first.pace).toBeGreaterThan(0);
    expect(first.pace).toBeLessThan(1);
    expect((await leaseOf(store, uuidv4(), requestFor(adset, over))).pace).toBe(first.pace);
  });
});

describe.each(stores.slice(1))('concurrent requests in %s', (name, make) => {
  const db = name === 'PGlite' ? embedded : serverDb!;

  test('bidders that request at once together get at most what their companies have', async () => {
    const store = await make();
    const companies = Array.from({ length: 3 }, () => {
      const first = freshAdset();
      return [first, { ...freshAdset(), companyId: first.companyId }];
    });
    const bidders = Array.from({ length: 8 }, (_, index) => ({
      id: uuidv4(),
      // In different orders, as bidders list their ad sets.
      adsets: index % 2 === 0 ? companies.flat() : companies.flat().reverse(),
    }));
    const over = { fundsMicros: 2000, requestedMicros: 600, unitMicros: 10 };
    const request = async () =>
      Promise.all(
        bidders.map(async ({ id, adsets }) =>
          store.sync(
            id,
            adsets.map((adset) => requestFor(adset, over)),
          ),
        ),
      );
    for (let round = 0; round < 3; round += 1) {
      await Promise.all([request(), store.book([{ ...companies[0]![0]!, micros: 100 }])]);
    }
    for (const [first] of companies) {
      const { companyId } = first!;
      const { rows } = await sql<{ leased: number; spent: number; leases: number; spend: number }>`
        select l.micros::bigint as leased, coalesce(s.micros, 0)::bigint as spent,
          (select sum(micros) from budget_leases where company_uuid = ${companyId})::bigint as leases,
          coalesce((select sum(ever_micros) from adset_spend where company_uuid = ${companyId}), 0)::bigint as spend
        from company_leases l left join company_spend s using (company_uuid)
        where l.company_uuid = ${companyId}`.execute(db);
      const [{ leased, spent, leases, spend }] = rows as [(typeof rows)[0]];
      expect([leased, spent]).toEqual([leases, spend]);
      expect(leased).toBeGreaterThan(500);
      expect(leased + spent).toBeLessThanOrEqual(2000);
    }
    // Leases of bidders that have ended are no longer part of the sum.
    await store.pass(LEASE_MS + 1000);
    await store.sync(uuidv4(), []);
    const left = await sql<{ micros: number }>`
      select micros::bigint as micros from company_leases
      where company_uuid = ${companies[0]![0]!.companyId}`.execute(db);
    expect(left.rows).toEqual([{ micros: 0 }]);
  });
});

describe.each(stores.slice(1))('%s and memory', (_name, make) => {
  test('decide the same for any requests and spend', async () => {
    const step = fc.record({
      bidder: fc.nat(2),
      adset: fc.nat(1),
      country: fc.constantFrom(undefined, undefined, 'JP', 'DE'),
      keep: fc.nat(10),
      want: fc.nat(2000),
      spend: fc.nat(50),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const both = [memory(), await make()];
        const first = freshAdset();
        const adsets = [first, { ...freshAdset(), companyId: first.companyId }];
        const bidders = [uuidv4(), uuidv4(), uuidv4()];
        const had = new Map<string, number>();
        // Spend in a country counts from the first request for its budget on.
        for (const store of both)
          for (const adset of adsets)
            await store.sync(
              bidders[0]!,
              ['JP', 'DE'].map((country) => requestFor(adset, { country, requestedMicros: 0 })),
            );
        for (const { bidder, adset, country, keep, want, spend } of steps) {
          const key = `${bidder} ${adset} ${country}`;
          const minimumMicros = Math.floor(((had.get(key) ?? 0) * keep) / 10);
          const request = requestFor(adsets[adset]!, {
            country,
            minimumMicros,
            requestedMicros: minimumMicros + want,
            dailyBudgetMicros: country ? 1500 : 3000,
            totalBudgetMicros: country ? null : 2500,
            fundsMicros: 4000,
          });
          for (const store of both) await store.book([{ ...adsets[adset]!, country, micros: spend }]);
          const [ours, theirs] = await Promise.all(
            both.map((store) => leaseOf(store, bidders[bidder]!, request)),
          );
          expect(theirs).toEqual(ours);
          had.set(key, ours!.micros);
        }
      }),
      runs(15),
    );
  });
});

const databases: [string, Database][] = [
  ['PGlite', embedded],
  ...(serverDb ? [['PostgreSQL', serverDb] as [string, Database]] : []),
];

describe.each(databases)('spend in %s', (_name, db) => {
  const everOf = async (adsetId: string) =>
    (await db.selectFrom('adset_spend').selectAll().where('adset_uuid', '=', adsetId).executeTakeFirst())
      ?.ever_micros;

  test('a batch is booked once in any combination, and its record is deleted once it is finished', async () => {
    const adset = freshAdset();
    const [first, second, third] = [uuidv4(), uuidv4(), uuidv4()];
    await bookBatches(db, [{ batch: first, spends: [{ ...adset, micros: 70 }], outcomes: [] }], []);
    await bookBatches(db, [{ batch: first, spends: [{ ...adset, micros: 70 }], outcomes: [] }], []);
    expect(await everOf(adset.adsetId)).toBe(70);
    const [one, other] = [
      { ...adset, micros: 2 },
      { ...adset, micros: 3 },
    ];
    await bookBatches(
      db,
      [
        { batch: second, spends: [one], outcomes: [] },
        { batch: third, spends: [other], outcomes: [] },
      ],
      [first],
    );
    expect(await everOf(adset.adsetId)).toBe(75);
    const batches = await db
      .selectFrom('booked_batches')
      .select('batch')
      .where('batch', 'in', [first, second, third])
      .execute();
    expect(batches.map(({ batch }) => batch).sort()).toEqual([second, third].sort());
  });

  test('in a country is raised to the events of the day, never lowered', async () => {
    const adset = { ...freshAdset(), country: 'JP' };
    const request = requestFor(adset, { country: 'JP', dailyBudgetMicros: 1000, requestedMicros: 0 });
    const roomOf = async () => (await leaseOf(postgres(db), uuidv4(), request)).roomMicros;
    expect(await roomOf()).toBe(1000);
    const { rows } = await sql<{ today: string }>`
      select (clock_timestamp() at time zone 'UTC')::date::text as today`.execute(db);
    const raise = (day: string, dayMicros: number) => raiseCountrySpend(db, [{ ...adset, day, dayMicros }]);
    await raise(rows[0]!.today, 300);
    expect(await roomOf()).toBe(700);
    await raise(rows[0]!.today, 200);
    await raise('2026-01-01', 900);
    expect(await roomOf()).toBe(700);
    expect(await countrySpends(db, 60_000)).toContainEqual({
      adsetId: adset.adsetId,
      companyId: adset.companyId,
      country: 'JP',
      day: rows[0]!.today,
      dayMicros: 300,
    });
  });

  test('is raised to the events, never lowered', async () => {
    const adset = freshAdset();
    await raiseSpend(db, [{ ...adset, micros: 50, dayMicros: 20 }]);
    expect(await everOf(adset.adsetId)).toBe(50);
    await bookBatches(db, [{ batch: uuidv4(), spends: [{ ...adset, micros: 5 }], outcomes: [] }], []);
    await raiseSpend(db, [{ ...adset, micros: 54, dayMicros: 0 }]);
    expect(await everOf(adset.adsetId)).toBe(55);
  });

  test('offers are stored by quarter hour, and today is not part of the profile', async () => {
    const { adsetId } = freshAdset();
    await addOffers(db, [{ adsetId, offers: 3 }]);
    await addOffers(db, [{ adsetId, offers: 4 }]);
    expect((await readOffers(db)).has(adsetId)).toBe(false);
    await db
      .updateTable('traffic_offers')
      .set({ day: sql<string>`day - 1` })
      .where('adset_uuid', '=', adsetId)
      .execute();
    const [day] = (await readOffers(db)).get(adsetId)!;
    expect(day).toHaveLength(96);
    expect(day!.filter((count) => count !== null)).toEqual([7]);
  });
});
