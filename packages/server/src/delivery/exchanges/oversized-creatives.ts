import { sql } from 'kysely';
import type { Logger } from 'pino';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import { type RepeatingJob, repeat } from '../../platform/jobs/repeat.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { Step } from '../../platform/startup.ts';

/** A creative whose bid alone exceeds the longest response that an exchange accepts. */
interface Oversized {
  companyId: string;
  creativeId: string;
  exchange: string;
}

/** Creatives that wait to be stored; more are dropped until then, and found again at their next bid. */
const WAITING_MAX = 5000;
const STORE_EVERY_MS = 10_000;
/** A creative that is still too large is stored again after this time. */
const AGAIN_MS = 3_600_000;
/** Creatives that are remembered as stored, so that not each of their bids is stored. */
const STORED_MAX = 20_000;

/** Creatives that are too large for exchanges, as a bidder finds when it writes their bids. Bounded in size. */
export class OversizedCreatives {
  readonly #waiting = new Map<string, Oversized>();
  readonly #storedAtMs = new Map<string, number>();

  add(creative: Oversized, nowMs: number): void {
    const key = `${creative.creativeId} ${creative.exchange}`;
    if (this.#waiting.has(key) || this.#waiting.size >= WAITING_MAX) return;
    if (nowMs - (this.#storedAtMs.get(key) ?? -Infinity) < AGAIN_MS) return;
    const { companyId, creativeId, exchange } = creative;
    this.#waiting.set(key, { companyId, creativeId, exchange });
  }

  /** The creatives that wait to be stored. `done` marks them as stored. */
  waiting(nowMs: number): { creatives: Oversized[]; done: () => void } {
    const taken = [...this.#waiting];
    return {
      creatives: taken.map(([, creative]) => creative),
      done: () => {
        for (const [key] of taken) {
          this.#waiting.delete(key);
          this.#storedAtMs.delete(key);
          this.#storedAtMs.set(key, nowMs);
        }
        while (this.#storedAtMs.size > STORED_MAX)
          this.#storedAtMs.delete(this.#storedAtMs.keys().next().value!);
      },
    };
  }
}

/** Starts to store the creatives of a bidder that are too large, every ten seconds and when it stops. */
export function startOversizedReport({
  db,
  postgres,
  log,
  now,
  oversized,
}: {
  db: Database;
  postgres: Step;
  log: Logger;
  now: () => Date;
  oversized: OversizedCreatives;
}): Pick<RepeatingJob, 'stop'> & { flush(): Promise<void> } {
  const flush = coalesce(async () => {
    const { creatives, done } = oversized.waiting(now().getTime());
    if (creatives.length === 0) return;
    await storeOversized(db, creatives, now());
    done();
  });
  const job = repeat(STORE_EVERY_MS, 'store creatives that are too large', log, flush, [postgres]);
  return {
    flush,
    async stop() {
      await job.stop();
      await flush().catch((err: unknown) =>
        log.warn({ err }, 'the last creatives that are too large were not stored'),
      );
    },
  };
}

/** Stores creatives of all companies; those of companies and exchanges that are gone are left out. */
async function storeOversized(db: Db, creatives: readonly Oversized[], at: Date): Promise<void> {
  await sql`
    insert into oversized_creatives (creative_uuid, slug, company_uuid, seen_at)
    select o.creative, o.exchange, o.company, ${at}
    from jsonb_to_recordset(${JSON.stringify(
      creatives.map(({ creativeId, exchange, companyId }) => ({
        creative: creativeId,
        exchange,
        company: companyId,
      })),
    )}::jsonb) as o (creative uuid, exchange text, company uuid)
    join ssps on ssps.slug = o.exchange join companies on companies.uuid = o.company
    order by o.creative, o.exchange
    on conflict (creative_uuid, slug) do update set seen_at = excluded.seen_at`.execute(db);
}

/** The exchanges for which creatives of a company are too large, by name, and their limits; since an instant, by creative. */
export async function oversizedOf(
  db: Db,
  companyId: string,
  since: Date,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await db
    .selectFrom('oversized_creatives')
    .innerJoin('ssps', 'ssps.slug', 'oversized_creatives.slug')
    .select(['creative_uuid', 'ssps.name'])
    .where('company_uuid', '=', companyId)
    .where('seen_at', '>=', since)
    .where('ssps.active', '=', true)
    .where('ssps.answer_bytes_max', 'is not', null)
    .orderBy('ssps.name')
    .execute();
  const byCreative = new Map<string, string[]>();
  for (const { creative_uuid: creative, name } of rows)
    byCreative.set(creative, [...(byCreative.get(creative) ?? []), name]);
  return byCreative;
}

/** Deletes what was last seen before an instant. */
export async function deleteOversizedBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('oversized_creatives').where('seen_at', '<', before).execute();
}
