/** The order in which Vitest runs test files, and in how many processes. */
import { availableParallelism } from 'node:os';
import { BaseSequencer } from 'vitest/node';
import { memoryMib } from './memory.mjs';

/**
 * Files that take long for their size, because they start servers and wait for them. Without the durations of an earlier
 * run, Vitest runs large files first, and these last, when nothing else is left to run beside them.
 */
const SLOW = [
  'chaos/event-log.test.ts',
  'packages/server/src/delivery/event-log/kill.test.ts',
  'chaos/databases.test.ts',
  'packages/exchange/src/demo/start-demo.test.ts',
  'packages/exchange/src/personality.test.ts',
  'packages/server/src/platform/clickhouse/clickhouse.test.ts',
  'packages/server/src/start/readiness.test.ts',
  'packages/server/src/platform/postgres/migrate.test.ts',
];

/** Memory of a process that runs tests of the server, with what it starts. */
const WORKER_MIB = 2560;
const WORKERS_MAX = 8;

/** Runs the files that are known to be slow first within their project, then in the order that Vitest chooses. */
export class SlowestFirst extends BaseSequencer {
  async sort(files) {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => slowestFirst(sorted.filter(({ project }) => project.name === name)));
  }
}

function slowestFirst(files) {
  const rankOf = ({ moduleId }) => {
    const index = SLOW.findIndex((path) => moduleId.endsWith(`/${path}`));
    return index < 0 ? SLOW.length : index;
  };
  return files.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/**
 * Number of processes that run tests: one more than cores, because tests of the server wait for child processes and files
 * for a third of their time, and no more than the memory has room for.
 */
export function workers(cores = availableParallelism(), mib = memoryMib(process.env)) {
  return Math.max(1, Math.min(cores + 1, WORKERS_MAX, Math.floor(mib / WORKER_MIB)));
}
