import { totalmem } from 'node:os';

/** Memory from which nothing is limited; the same as in packages/server/src/platform/memory.ts. */
const SMALL_MEMORY_MIB = 1536;

/**
 * Where memory allows it, a young generation of twice the default size: with thousands of requests in a second, objects
 * are collected half as often, when more of them are garbage. The same as in deploy/Dockerfile.
 */
const YOUNG_GENERATION = '--max-semi-space-size=32';

/** Memory that a program may use, in MiB: the lowest of MEMORY_MIB, the container's limit and the machine's memory. */
export function memoryMib(env) {
  const available = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return Math.min(Number(env.MEMORY_MIB) || Infinity, Math.floor(available / 2 ** 20));
}

/** Whether PostgreSQL or ClickHouse runs in the server's process; an empty variable is the same as none. */
function embedsDatabase({ DATABASE_URL, CLICKHOUSE_URL }) {
  return !DATABASE_URL?.trim() || !CLICKHOUSE_URL?.trim();
}

/**
 * Options with which Node runs a server: `flags` before the program, and `environment`, in which variables that are already
 * set take precedence. With little memory, the heap leaves room for the embedded databases, WebAssembly (PGlite) is compiled
 * once without optimization, source maps are not loaded, and the allocators of C and chDB (jemalloc) return memory at once.
 * Nothing is limited where both databases are servers of their own, because the heap may then have all of the memory.
 */
export function nodeOptions(env = process.env) {
  const mib = memoryMib(env);
  // chDB runs on libuv's thread pool; with the default of four threads, queries would wait for file I/O and password hashing.
  const isSmall = mib < SMALL_MEMORY_MIB;
  if (!isSmall || !embedsDatabase(env))
    return {
      flags: ['--enable-source-maps', ...(isSmall ? [] : [YOUNG_GENERATION])],
      environment: { UV_THREADPOOL_SIZE: '16', ...env },
    };
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
