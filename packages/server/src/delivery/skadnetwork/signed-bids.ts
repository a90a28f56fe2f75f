import { addToSum } from '../../platform/group-by.ts';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { Logger } from 'pino';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Step } from '../../platform/startup.ts';
import { storeLastBids } from './source-identifiers.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/postgres/transaction.ts';

/** Counts of one exchange and day. */
interface DayOutcomes {
  slug: string;
  /** YYYY-MM-DD, UTC. */
  day: string;
  outcome: SkadnetworkOutcome;
  requests: number;
}

const DAY_MS = 86_400_000;

/**
 * Counts of signing in a bidder since they were last stored: the source identifiers of its bids, and the requests of iOS apps by exchange
 * and by whether a bid on them could be signed. The numbers of running ad sets and of exchanges bound their size.
 */
export class SignedBids {
  #numbers = new Map<string, number>();
  #outcomes = new Map<string, number>();
  #day = { fromMs: -Infinity, name: '' };

  bid(adsetId: string, itemId: number): void {
    this.#numbers.set(adsetId, itemId);
  }

  count(slug: string, outcome: SkadnetworkOutcome, atMs: number, requests = 1): void {
    if (atMs - this.#day.fromMs >= DAY_MS || atMs < this.#day.fromMs)
      this.#day = {
        fromMs: Math.floor(atMs / DAY_MS) * DAY_MS,
        name: new Date(atMs).toISOString().slice(0, 10),
      };
    addToSum(this.#outcomes, `${this.#day.name} ${outcome} ${slug}`, requests);
  }

  /** Everything since the last call. */
  take(): { bids: { adsetId: string; itemId: number }[]; outcomes: DayOutcomes[] } {
    const bids = [...this.#numbers].map(([adsetId, itemId]) => ({ adsetId, itemId }));
    const outcomes = [...this.#outcomes].map(([key, requests]) => {
      const [day = '', outcome, slug = ''] = key.split(' ');
      return { day, outcome: outcome as SkadnetworkOutcome, slug, requests };
    });
    this.#numbers = new Map();
    this.#outcomes = new Map();
    return { bids, outcomes };
  }

  /** Takes back the counts that could not be stored. */
  putBack({ bids, outcomes }: ReturnType<SignedBids['take']>): void {
    for (const { adsetId, itemId } of bids)
      if (!this.#numbers.has(adsetId)) this.#numbers.set(adsetId, itemId);
    for (const { day, outcome, slug, requests } of outcomes)
      addToSum(this.#outcomes, `${day} ${outcome} ${slug}`, requests);
  }
}

/** Far below the day by which a number that was bid with stays longer than its postbacks need. */
const STORE_EVERY_MS = 30_000;

/** Stores the counts of signed bids every half minute, and when the bidder stops. */
export function startSigningReport({
  db,
  postgres,
  log,
  now,
  signedBids,
}: {
  db: Database;
  postgres: Step;
  log: Logger;
  now: () => Date;
  signedBids: SignedBids;
}): Pick<RepeatingJob, 'stop'> & { flush(): Promise<void> } {
  const flush = coalesce(async () => {
    const taken = signedBids.take();
    try {
      await storeLastBids(db, taken.bids, now());
      taken.bids = [];
      await addOutcomes(db, taken.outcomes);
    } catch (error) {
      signedBids.putBack(taken);
      throw error;
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store what was signed', log, flush, [postgres]);
  return {
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) => log.warn({ err }, 'the last signed bids were not stored'));
    },
  };
}

/** Adds counts of requests of iOS apps. Exchanges belong to no company. */
async function addOutcomes(db: Db, outcomes: readonly DayOutcomes[]): Promise<void> {
  if (outcomes.length === 0) return;
  await db
    .insertInto('skadnetwork_requests')
    .values(outcomes.map((one) => ({ ...one })).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)))
    .onConflict((conflict) =>
      conflict
        .columns(['slug', 'day', 'outcome'])
        .doUpdateSet({ requests: sql`skadnetwork_requests.requests + excluded.requests` }),
    )
    .execute();
}

/** In one order, so that two bidders never wait for each other. */
const keyOf = ({ slug, day, outcome }: DayOutcomes): string => `${slug} ${day} ${outcome}`;

/** The requests of iOS apps by exchange and outcome, from a day (UTC) on. */
export async function outcomesSince(
  db: Db,
  day: string,
): Promise<{ slug: string; outcome: SkadnetworkOutcome; requests: number }[]> {
  return db
    .selectFrom('skadnetwork_requests')
    .select(['slug', 'outcome', sql<number>`sum(requests)::bigint`.as('requests')])
    .where('day', '>=', day)
    .groupBy(['slug', 'outcome'])
    .execute();
}

/** Deletes counts of days before `day` (UTC). */
export async function deleteOutcomesBefore(db: Db, day: string): Promise<void> {
  await db.deleteFrom('skadnetwork_requests').where('day', '<', day).execute();
}
