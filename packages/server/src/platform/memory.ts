import { totalmem } from 'node:os';

const MIB = 1024 ** 2;

/** Below this the engines in the process take little, and caches are small; at and above it nothing is limited. */
export const SMALL_MEMORY_MIB = 1536;

/** What each engine in this process may take where memory is small, in MiB. */
export interface SmallMemory {
  /** Tables, queries and caches of chDB. */
  chdb: number;
  /** Its caches of marks and of primary indexes, each. */
  chdbCache: number;
  /** PostgreSQL's `shared_buffers`. */
  sharedBuffers: number;
}

/** Node's heap, PGlite, the server itself and the code of chDB take this before any data comes. */
const BASE_MIB = 320;

/** The limits of the engines for a process that may use `memoryMib`; null where there is plenty. */
export function smallMemory(memoryMib: number): SmallMemory | null {
  if (memoryMib >= SMALL_MEMORY_MIB) return null;
  return {
    chdb: Math.max(128, memoryMib - BASE_MIB),
    chdbCache: Math.max(4, Math.floor(memoryMib / 64)),
    sharedBuffers: Math.max(8, Math.floor(memoryMib / 64)),
  };
}

/**
 * What this process may use, in MiB: the limit of its container, or all that the machine has. Node answers 0, or more than
 * any machine has, where there is no limit.
 */
export function availableMemoryMib(
  constrainedBytes = process.constrainedMemory(),
  totalBytes = totalmem(),
): number {
  return Math.floor(Math.min(constrainedBytes || Infinity, totalBytes) / MIB);
}
