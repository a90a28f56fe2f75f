import { sql } from 'kysely';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { DayOutcomes } from './signed-bids.ts';

/** Adds counts of requests of iOS apps. Exchanges belong to no company. */
export async function addOutcomes(db: Db, outcomes: readonly DayOutcomes[]): Promise<void> {
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
