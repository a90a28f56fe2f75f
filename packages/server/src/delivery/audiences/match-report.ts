import type { Logger } from 'pino';
import { sql } from 'kysely';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import { type Database, anyOf } from '../../platform/postgres/client.ts';
import { transact } from '../../platform/postgres/transaction.ts';
import type { Step } from '../../platform/startup.ts';
import type { MatchCount, MatchCounts } from './match-counts.ts';
import { PeopleSketch } from './people-sketch.ts';

const STORE_EVERY_MS = 60_000;
/** Audiences that one transaction locks. */
const STORED_AT_ONCE = 100;

/** Starts to store the look-ups of a bidder in audiences, every minute and when it stops. All bidders add to the same rows. */
export function startMatchReport({
  db,
  postgres,
  log,
  now,
  counts,
}: {
  db: Database;
  postgres: Step;
  log: Logger;
  now: () => Date;
  counts: MatchCounts;
}): Pick<RepeatingJob, 'stop'> & { flush(): Promise<void> } {
  const flush = coalesce(async () => {
    const waiting = counts.take();
    try {
      while (waiting.length > 0) {
        await store(db, waiting.slice(0, STORED_AT_ONCE), now());
        waiting.splice(0, STORED_AT_ONCE);
      }
    } finally {
      counts.giveBack(waiting);
    }
  });
  const job = repeat(STORE_EVERY_MS, 'store look-ups in audiences', log, flush, [postgres]);
  return {
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) =>
        log.warn({ err }, 'the last look-ups in audiences were not stored'),
      );
    },
  };
}

/** Adds look-ups to the period under way of each audience, of all companies. Audiences that are gone are left out. */
async function store(db: Database, counts: readonly MatchCount[], at: Date): Promise<void> {
  const ids = counts.map(({ audienceId }) => audienceId);
  await transact(db, async (tx) => {
    await sql`
      insert into audience_matches (audience_uuid, company_uuid, began_at)
      select uuid, company_uuid, ${at} from audiences where uuid = ${anyOf(ids)} order by uuid
      on conflict (audience_uuid) do nothing`.execute(tx.db);
    const rows = await tx.db
      .selectFrom('audience_matches')
      .select(['audience_uuid', 'people'])
      .where('audience_uuid', '=', anyOf(ids))
      .orderBy('audience_uuid')
      .forUpdate()
      .execute();
    const stored = new Map(rows.map(({ audience_uuid: uuid, people }) => [uuid, people]));
    const changes = counts
      .filter(({ audienceId }) => stored.has(audienceId))
      .map(({ audienceId, lookUps, matches, people, size }) => {
        const all = PeopleSketch.parse(stored.get(audienceId)!);
        all.merge(people);
        return { uuid: audienceId, look_ups: lookUps, matches, people: all.text(), size };
      });
    await sql`
      update audience_matches m set
        began_at = coalesce(m.began_at, ${at}), look_ups = m.look_ups + c.look_ups,
        matches = m.matches + c.matches, people = c.people, size = c.size
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
        as c (uuid uuid, look_ups bigint, matches bigint, people text, size int)
      where m.audience_uuid = c.uuid`.execute(tx.db);
  });
}
