/** The order in which Vitest runs test files, and in how many processes. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { BaseSequencer } from 'vitest/node';
import { memoryMib } from './memory.mjs';

/**
 * Files that take long for their size, because they start servers and wait for them. Without the durations of an earlier
 * run, Vitest runs large files first, and these last, when nothing else is left to run at the same time.
 */
const SLOW = [
  'chaos/event-log.exhaustive.test.ts',
  'packages/server/src/delivery/event-log/kill.exhaustive.test.ts',
  'chaos/databases.exhaustive.test.ts',
  'packages/exchange/src/demo/start-demo.exhaustive.test.ts',
  'packages/exchange/src/personality.test.ts',
  'packages/server/src/platform/clickhouse/clickhouse.test.ts',
  'packages/server/src/start/readiness.test.ts',
  'packages/server/src/platform/postgres/migrate.test.ts',
];

/** Memory of a process that runs tests of the server, with what it starts. */
const WORKER_MIB = 2560;
const WORKERS_MAX = 8;

/**
 * Runs the files that are known to be slow first within their project, then in the order that Vitest chooses. With
 * `--sequence.shuffle`, as in the weekly run, the seed alone decides the order.
 */
export class SlowestFirst extends BaseSequencer {
  async sort(files) {
    const { root, sequence } = this.ctx.config;
    if (sequence.shuffle) return shuffled(files, root, sequence.seed);
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

/** Sorted by a hash of the seed and the path, so that a seed is the same order on every machine. */
function shuffled(files, root, seed) {
  const hashOf = ({ moduleId }) =>
    createHash('sha256')
      .update(`${seed} ${relative(root, moduleId)}`)
      .digest('hex');
  const keyed = files.map((file) => ({ file, key: `${file.project.name} ${hashOf(file)}` }));
  return keyed.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ file }) => file);
}

/**
 * Number of processes that run tests: one more than cores, because tests of the server wait for child processes and files
 * for a third of their time, and no more than the memory has room for.
 */
export function workers(cores = availableParallelism(), mib = memoryMib(process.env)) {
  return Math.max(1, Math.min(cores + 1, WORKERS_MAX, Math.floor(mib / WORKER_MIB)));
}
