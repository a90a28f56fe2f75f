/**
 * Requests for leases that PostgreSQL handles, each for 100 ad sets: one bidder and several at once, of many companies and of
 * one company with 10,000 ad sets. Compared with one statement that writes 100 rows and does nothing else.
 *
 * npm run bench -- leases [--seconds 5] [--bidders 8]
 */
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import { postgresLeases, raiseSpend } from '@bidwell/server/delivery/pacing/lease-store';
import type { LeaseRequest } from '@bidwell/server/delivery/pacing/leases';
import { type Database, openPostgres } from '@bidwell/server/platform/postgres/client';
import { emptyDatabase } from '@bidwell/testing/engines/postgres-server';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '5' }, bidders: { type: 'string', default: '8' } },
});
const SECONDS = Number(values.seconds);
const BIDDERS = Number(values.bidders);
const ADSETS = 10_000;
const AT_ONCE = 100;
/** Ad sets of each company where there are many. */
const PER_COMPANY = 10;
const BUDGET = 1_000_000_000;

interface Adset {
  adsetId: string;
  companyId: string;
}

const server = await emptyDatabase(process.env['DATABASE_URL']);
if (!server) throw new Error('PostgreSQL is not installed, and DATABASE_URL is not set.');
const { url } = server;

/** The ad sets of a measurement, with spend that is booked already. */
async function createAdsets(db: Database, perCompany: number): Promise<Adset[]> {
  let companyId = '';
  const adsets = Array.from({ length: ADSETS }, (_, index) => {
    if (index % perCompany === 0) companyId = uuidv4();
    return { adsetId: uuidv4(), companyId };
  });
  await raiseSpend(
    db,
    adsets.map((adset) => ({ ...adset, micros: 1_000_000, dayMicros: 500_000 })),
  );
  return adsets;
}

/** One bidder's requests for its next ad sets, each with another amount than before. */
function* requestsOf(adsets: readonly Adset[]): Generator<LeaseRequest[], never> {
  for (let round = 1; ; round += 1)
    for (let from = 0; from < adsets.length; from += AT_ONCE)
      yield adsets.slice(from, from + AT_ONCE).map((adset) => ({
        ...adset,
        timeZone: 'UTC',
        minimumMicros: 1000,
        requestedMicros: 50_000 + round,
        reservedMicros: 1000,
        reservedMs: 600_000,
        expectedMicros: 1000,
        unitMicros: 1000,
        dailyBudgetMicros: BUDGET,
        totalBudgetMicros: null,
        fundsMicros: BUDGET * ADSETS,
        sharePerSecond: null,
      }));
}

/** Repeats `work` for a time; resolves with its duration each time, ms. */
async function timesOf(seconds: number, work: () => Promise<unknown>): Promise<number[]> {
  const endMs = performance.now() + seconds * 1000;
  const times: number[] = [];
  while (performance.now() < endMs) {
    const beganMs = performance.now();
    await work();
    times.push(performance.now() - beganMs);
  }
  return times;
}

interface Result {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
}

/** Renews the leases of `bidders` at once, each with a pool of its own, and each beginning with other ad sets. */
async function measure(name: string, adsets: readonly Adset[], bidders: number): Promise<Result> {
  const all = await Promise.all(
    Array.from({ length: bidders }, async (_, index) => {
      const db = await openPostgres({ url });
      const from = Math.floor((index * ADSETS) / bidders);
      const requests = requestsOf([...adsets.slice(from), ...adsets.slice(0, from)]);
      return { db, bidderId: uuidv4(), store: postgresLeases(db), requests };
    }),
  );
  // Every bidder has its leases already.
  for (const { store, bidderId, requests } of all)
    for (let count = 0; count < ADSETS / AT_ONCE; count += 1)
      await store.sync(bidderId, requests.next().value);
  await sql`analyze`.execute(all[0]!.db);
  const times = await Promise.all(
    all.map(({ store, bidderId, requests }) =>
      timesOf(SECONDS, () => store.sync(bidderId, requests.next().value)),
    ),
  );
  await sql`delete from bidders`.execute(all[0]!.db);
  for (const { db } of all) await db.destroy();
  return report(name, times.flat());
}

function report(name: string, times: number[]): Result {
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))]!;
  const result = { perSecond: times.length / SECONDS, medianMs: at(0.5), p99Ms: at(0.99) };
  console.log(
    `${name.padEnd(44)} ${result.perSecond.toFixed(1).padStart(7)} a second  median ${result.medianMs.toFixed(1)} ms  99 % ${result.p99Ms.toFixed(1)} ms`,
  );
  return result;
}

/** One bidder's rows written by one statement each, without locks, reads or rules. */
async function measureReference(db: Database): Promise<Result> {
  await sql`create table reference_rows (id int primary key, micros bigint) with (fillfactor = 50)`.execute(
    db,
  );
  let round = 0;
  const write = () =>
    sql`
      insert into reference_rows select id, ${(round += 1)}::bigint from generate_series(1, ${AT_ONCE}::int) as t (id)
      on conflict (id) do update set micros = excluded.micros`.execute(db);
  return report('reference: one statement that writes 100 rows', await timesOf(SECONDS, write));
}

const db = await openPostgres({ url });
console.log(`PostgreSQL ${server.version}, ${AT_ONCE} ad sets in each request`);
const reference = await measureReference(db);
const many = await createAdsets(db, PER_COMPANY);
const one = await createAdsets(db, ADSETS);
const results = {
  manyCompanies: await measure('1 bidder, 1,000 companies', many, 1),
  manyCompaniesBidders: await measure(`${BIDDERS} bidders, 1,000 companies`, many, BIDDERS),
  oneCompany: await measure('1 bidder, one company of 10,000 ad sets', one, 1),
  oneCompanyBidders: await measure(`${BIDDERS} bidders, one company of 10,000 ad sets`, one, BIDDERS),
};
await db.destroy();
await server.remove();

const round = (value: number) => Number(value.toFixed(1));
console.log(
  JSON.stringify({
    bench: 'leases',
    bidders: BIDDERS,
    referencePerSecond: round(reference.perSecond),
    ...Object.fromEntries(
      Object.entries(results).map(([name, { perSecond }]) => [`${name}PerSecond`, round(perSecond)]),
    ),
    ratio: Number((results.manyCompaniesBidders.perSecond / reference.perSecond).toFixed(3)),
  }),
);
