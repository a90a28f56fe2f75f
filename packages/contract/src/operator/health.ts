import { z } from 'zod';
import { BiddingState } from './schema.ts';
import { Timestamp } from '../lib/wire.ts';

/** The state that a process reports every ten seconds. */
export const ProcessState = z.object({
  /** Roles that cannot do their work, each with a sentence. */
  faults: z.record(z.string(), z.string()),
  /** Degraded functions, in sentences. */
  degraded: z.array(z.string()),
  memory_bytes: z.number(),
  /** Free space on the disk of DATA_DIR; null if it cannot be read. */
  disk_free_bytes: z.number().nullable(),
  disk_bytes: z.number().nullable(),
  /** Events in the log of this process that are not stored yet, in bytes. */
  log_waiting_bytes: z.number(),
  /** Oldest event of this process's partitions that is not stored yet, in seconds; null without a counter. */
  lag_seconds: z.number().nullable(),
  /** Bytes in the event stream; null without a counter. */
  stream_bytes: z.number().nullable(),
  /** The last warnings and errors, newest first. */
  warnings: z.array(
    z.object({
      at: Timestamp,
      level: z.enum(['warn', 'error', 'fatal']),
      message: z.string(),
      /** The job that failed; '' if it is not about a job. */
      job: z.string(),
    }),
  ),
});
export type ProcessState = z.infer<typeof ProcessState>;

/** State of the whole installation. */
export const OperatorHealth = z.object({
  bidding: BiddingState,
  processes: z.array(
    z.object({
      process: z.string(),
      roles: z.array(z.string()),
      version: z.string(),
      started_at: Timestamp,
      seen_at: Timestamp,
      state: ProcessState,
    }),
  ),
  /** Sizes of the databases in bytes; null while a database does not respond. */
  postgres_bytes: z.number().nullable(),
  clickhouse_bytes: z.number().nullable(),
  /** When a backup was last requested; null if never. */
  last_backup_at: Timestamp.nullable(),
  waiting: z.object({
    /** Versions of ads that wait for review, and top-ups that wait for a decision. */
    reviews: z.number().int(),
    top_ups: z.number().int(),
  }),
  /** Companies whose balance is below zero. */
  companies_below_zero: z.number().int(),
});
export type OperatorHealth = z.infer<typeof OperatorHealth>;
