import { totalmem } from 'node:os';

/** As in packages/server/src/platform/memory.ts: from here on nothing is limited. */
const SMALL_MEMORY_MIB = 1536;

/** What a program may use, in MiB: MEMORY_MIB, the limit of the container, or all that the machine has. */
function memoryMib(env) {
  const available = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return Math.min(Number(env.MEMORY_MIB) || Infinity, Math.floor(available / 2 ** 20));
}

/**
 * How Node runs a server: `flags` before the program, and `environment` beside what is set already. Where memory is small,
 * the heap leaves room for the databases in the process, PGlite is compiled once and not optimized, source maps stay on the
 * disk, and the allocators of C and of chDB (jemalloc) give memory back at once.
 */
export function nodeOptions(env = process.env) {
  const mib = memoryMib(env);
  // chDB works on libuv's threads; four of them would make queries wait for files and passwords.
  if (mib >= SMALL_MEMORY_MIB)
    return { flags: ['--enable-source-maps'], environment: { UV_THREADPOOL_SIZE: '16', ...env } };
  return {
    flags: [
      `--max-old-space-size=${Math.max(96, Math.floor(mib / 5))}`,
      '--max-semi-space-size=2',
      '--liftoff-only',
    ],
    environment: {
      UV_THREADPOOL_SIZE: '8',
      MALLOC_ARENA_MAX: '1',
      MALLOC_TRIM_THRESHOLD_: '131072',
      MALLOC_MMAP_THRESHOLD_: '65536',
      JE_MALLOC_CONF: 'dirty_decay_ms:0,percpu_arena:disabled,narenas:1',
      ...env,
    },
  };
}
