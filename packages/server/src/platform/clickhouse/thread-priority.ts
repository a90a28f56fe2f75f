import { readFile, readdir } from 'node:fs/promises';
import { setPriority } from 'node:os';

/** Threads of Node.js by name: its own, those of its thread pool and of V8. The rest of the process is chDB's. */
const OF_NODE = /^(node|libuv-worker|DelayedTaskSche|V8Worker|WorkerThread|MainThread|Signal)/i;
/** Nice value of chDB's threads: on a busy processor each gets about a tenth of the time of a thread of Node.js. */
const NICE = 10;
/** chDB starts threads as its queries need them. */
const EVERY_MS = 500;
const TASKS = '/proc/self/task';

/**
 * Gives chDB's threads a lower priority than those of Node.js, so that reports take the time that bids leave. Only on Linux, where
 * threads have priorities of their own; elsewhere it does nothing. Returns a function that ends it.
 */
export function lowerPriority(): () => void {
  const seen = new Set<string>();
  const lower = async (): Promise<void> => {
    const threads = await readdir(TASKS);
    for (const thread of threads) {
      if (seen.has(thread)) continue;
      const name = await readFile(`${TASKS}/${thread}/comm`, 'utf8');
      // A thread has the name of the one that started it until it sets its own.
      if (!OF_NODE.test(name)) setPriority(Number(thread), NICE);
      seen.add(thread);
    }
    for (const thread of seen) if (!threads.includes(thread)) seen.delete(thread);
  };
  // A thread that ended meanwhile is no fault, and without /proc there is nothing to do.
  const timer = setInterval(() => void lower().catch(() => {}), EVERY_MS).unref();
  return () => clearInterval(timer);
}
