import type { Logger } from 'pino';
import { v4 as uuidv4 } from 'uuid';
import { coalesce } from '../../platform/concurrency/coalesce.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { Step } from '../../platform/startup.ts';
import { span } from '../../platform/telemetry/tracing.ts';
import type { BidCounters } from './bid-counts.ts';
import { type ExchangeMinutes, TAKE_EVERY_MS } from './exchange-minutes.ts';
import { saveExchangeMinutes } from './minute-store.ts';

/** Stores what this process counts of exchanges, every ten seconds. */
export interface ExchangeReport {
  /** Stores what was counted so far. Throws where PostgreSQL does not respond; the counts are then stored later. */
  flush(): Promise<void>;
  /** Stores the last counts; throws like {@link flush}. */
  stop(): Promise<void>;
}

/** Dependencies of {@link startExchangeReport}. */
interface ReportDeps {
  db: Database;
  log: Logger;
  /** Done once the tables exist. */
  postgres: Step;
  counters: BidCounters;
  minutes: ExchangeMinutes;
}

/**
 * Takes the counts at each tenth second of the clock, so that those of a minute are stored right after its end. Taking
 * never waits for the database.
 */
export function startExchangeReport({ db, log, postgres, counters, minutes }: ReportDeps): ExchangeReport {
  // A row has the counts of one run of a process: another run begins at zero.
  const processId = uuidv4();
  let timer: NodeJS.Timeout | undefined;
  const save = coalesce(async () => {
    if (!postgres.isDone()) return;
    await span('job store counts of exchanges', {}, async () =>
      minutes.save(async (rows) => saveExchangeMinutes(db, processId, rows)),
    );
  });
  const flush = async (): Promise<void> => {
    minutes.take(counters);
    await save();
  };
  const schedule = (): void => {
    timer = setTimeout(turn, TAKE_EVERY_MS - (Date.now() % TAKE_EVERY_MS));
    timer.unref();
  };
  const turn = (): void => {
    flush().catch((err: unknown) => log.warn({ err }, 'the counts of exchanges could not be stored yet'));
    schedule();
  };
  schedule();
  return {
    flush,
    async stop() {
      clearTimeout(timer);
      await flush();
    },
  };
}
