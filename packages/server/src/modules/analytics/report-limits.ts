import { messages } from '@bidwell/contract/messages';
import { availableParallelism } from 'node:os';
import type { Config } from '../../config.ts';
import type { Engines } from '../../engines.ts';
import { Invalid } from '../../platform/errors.ts';
import type { QuerySettings } from '../../platform/clickhouse/client.ts';
import { QueryTooLarge } from '../../platform/clickhouse/client.ts';
import type { FairQueueLimits } from '../../platform/jobs/fair-queue.ts';
import { smallMemory } from '../../platform/memory.ts';
import type { CountsQuery, CountsRow } from './query-model.ts';
import { countEvents } from './query-model.ts';

/** Rows of one depth in one answer; what is beyond is summed as Other. */
export const ROWS_MAX = 10_000;
/** Rows of all depths in one answer; a report with more is refused. */
export const ANSWER_ROWS_MAX = 30_000;
/** Lines of an export of a report; one with more breaks off. */
export const EXPORT_ROWS_MAX = 10_000_000;
const EXPORT_SECONDS_MAX = 600;
const MIB = 1024 ** 2;

/** Reports at once and those that wait, in this process. */
export function reportTurns({ clickhouseUrl }: Config): FairQueueLimits {
  // Embedded, a query works in this process: each company has half of the machine, whoever else asks.
  const running = clickhouseUrl ? { running: 8, runningEach: 2 } : { running: 2, runningEach: 1 };
  return { ...running, waiting: 500, waitingEach: 60, waitMs: 60_000 };
}

/** The same for exports, which last as long as their reader takes. */
export function exportTurns(config: Config): FairQueueLimits {
  return { ...reportTurns(config), waiting: 100, waitingEach: 5 };
}

/** What one query of a report may take of the engine. */
export function reportSettings(config: Config): QuerySettings {
  return { ...engineShare(config), max_execution_time: 20, max_result_rows: 2 * ROWS_MAX };
}

/** What one export may take of the engine: more time, and disk where it has more rows than memory should hold. */
export function exportSettings(config: Config): QuerySettings {
  const share = engineShare(config);
  const spillBytes = Math.floor(share.max_memory_usage / 4);
  return {
    ...share,
    max_execution_time: EXPORT_SECONDS_MAX,
    max_bytes_before_external_group_by: spillBytes,
    max_bytes_before_external_sort: spillBytes,
  };
}

function engineShare({ clickhouseUrl, memoryMib }: Config): {
  max_threads: number;
  max_memory_usage: number;
} {
  if (clickhouseUrl) return { max_threads: 4, max_memory_usage: 4096 * MIB };
  const small = smallMemory(memoryMib);
  if (small) return { max_threads: 1, max_memory_usage: Math.floor(small.chdb / 2) * MIB };
  return {
    max_threads: Math.max(1, Math.floor(availableParallelism() / 2)),
    max_memory_usage: Math.min(1024, Math.max(160, Math.floor(memoryMib / 8))) * MIB,
  };
}

/** `countEvents` for a report that a company asks for, within its limits. Throws Invalid for what passes them. */
export async function countForReport(
  { clickhouse, config }: Engines,
  companyId: string,
  query: CountsQuery,
): Promise<CountsRow[]> {
  try {
    return await countEvents(clickhouse, companyId, query, reportSettings(config));
  } catch (error) {
    if (error instanceof QueryTooLarge) throw reportTooLarge();
    throw error;
  }
}

/** What is said of a report that takes more than its company may have at once. */
export function reportTooLarge(): Invalid {
  return new Invalid([], messages.reportTooLarge);
}
