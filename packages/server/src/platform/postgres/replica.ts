import { Kysely, PostgresDialect, sql } from 'kysely';
import type { Logger } from 'pino';
import { isDatabaseUnavailable } from '../database-unavailable.ts';
import { addToSum } from '../group-by.ts';
import { inTime } from '../concurrency/time-limits.ts';
import { repeat } from '../jobs/repeat.ts';
import { type Database, recordStatement } from './client.ts';
import { openPool } from './pool/pool.ts';
import { REPLICA_POOL } from './pool/pool-settings.ts';
import type { Schema } from './schema.ts';
import { versionOf } from './transaction.ts';
import { Counter, type Registry } from 'prom-client';
import { registerGauge } from '../telemetry/metrics.ts';

/** Outcomes of reads: served by the replica, or left to the primary because it was late, failed or down. */
export type ReplicaOutcome = 'replica' | 'late' | 'failed' | 'down';

/** A read replica of the state database. Only lists are read from it. */
export interface Replica {
  /**
   * The result of `work`, which reads a company's entities in one snapshot of the replica; null unless the replica has
   * exactly this version of the company, and responds in time. Never throws.
   */
  read<T>(
    companyId: string,
    version: string | null,
    work: (db: Database) => Promise<T>,
  ): Promise<{ value: T } | null>;
  /** Whether it responded to the last check, how far it is behind (null where unknown), and the reads so far. */
  state(): {
    isUp: boolean;
    lagSeconds: number | null;
    outcomes: ReadonlyMap<ReplicaOutcome, number>;
  };
  /** Ends its connections, by force after a second. */
  close(): Promise<void>;
}

/** A read that takes longer is left to the primary. */
const RESPONSE_MS = 1000;
const CHECK_EVERY_MS = 2000;

/** The replica did not respond in time. */
class Silent extends Error {}

/**
 * Opens the replica at `url`. Its lag is queried every two seconds. Once it fails or is silent, no query reads from it
 * until it has responded again, so that only one request waits for it.
 */
export function openReplica(url: string, log: Logger): Replica {
  const pool = openPool(url, REPLICA_POOL);
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }), log: recordStatement });
  const outcomes = new Map<ReplicaOutcome, number>();
  let isUp = false;
  let lagSeconds: number | null = null;
  const count = (outcome: ReplicaOutcome) => addToSum(outcomes, outcome, 1);
  const fail = (err: unknown): void => {
    if (isUp) log.warn({ err }, 'the read replica does not answer; lists are read from the primary');
    isUp = false;
    lagSeconds = null;
  };
  const job = repeat(CHECK_EVERY_MS, 'check the read replica', log, async () => {
    try {
      lagSeconds = await inTimeLimit(lagSecondsOf(db));
      isUp = true;
    } catch (error) {
      fail(error);
    }
  });
  return {
    async read(companyId, version, work) {
      if (!isUp || version === null) {
        count('down');
        return null;
      }
      try {
        const found = await inTimeLimit(
          db
            .transaction()
            .setIsolationLevel('repeatable read')
            .setAccessMode('read only')
            .execute(async (snapshot) =>
              (await versionOf(snapshot, companyId)) === version ? { value: await work(snapshot) } : null,
            ),
        );
        count(found ? 'replica' : 'late');
        return found;
      } catch (error) {
        // Others, such as a conflict with the recovery, concern this read alone.
        if (error instanceof Silent || isDatabaseUnavailable(error)) fail(error);
        count('failed');
        return null;
      }
    },
    state: () => ({ isUp, lagSeconds, outcomes }),
    async close() {
      await job.stop();
      await db.destroy();
    },
  };
}

async function inTimeLimit<T>(work: Promise<T>): Promise<T> {
  return inTime(work, RESPONSE_MS, `no answer within ${RESPONSE_MS} ms`, Silent);
}

/**
 * Seconds since the last transaction that a replica has replayed; 0 for a server that is no replica. The primary always
 * writes: the process that runs the jobs extends its leadership every second.
 */
async function lagSecondsOf(db: Database): Promise<number> {
  const { rows } = await sql<{ lag: number }>`
    select coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)::float8 as lag`.execute(
    db,
  );
  return Math.max(0, rows[0]!.lag);
}

/** Registers the lag of the read replica, whether it responds, and where lists were read. */
export function registerReplicaMetrics(registry: Registry, replica: Replica): void {
  registerGauge(registry, 'bidwell_replica_up', 'Whether the read replica answers: 1 if so', () =>
    replica.state().isUp ? 1 : 0,
  );
  registerGauge(
    registry,
    'bidwell_replica_lag_seconds',
    'How far the read replica is behind; NaN while it does not answer',
    () => replica.state().lagSeconds ?? NaN,
  );
  const reads = new Counter({
    name: 'bidwell_replica_reads_total',
    help: 'Lists by what the read replica did: replica (answered), or left to the primary because it was late, failed or down',
    labelNames: ['answer'],
    registers: [registry],
    collect() {
      reads.reset();
      for (const [outcome, count] of replica.state().outcomes) reads.inc({ answer: outcome }, count);
    },
  });
}
