import { totalmem } from 'node:os';

const MIB = 1024 ** 2;

/** Memory below which embedded databases and caches are limited; at and above it nothing is limited. */
export const SMALL_MEMORY_MIB = 1536;

/** Limits of the embedded databases where memory is small, in MiB. */
export interface SmallMemory {
  /** Tables, queries and caches of chDB. */
  chdb: number;
  /** chDB's mark cache and primary index cache, each. */
  chdbCache: number;
  /** PostgreSQL's `shared_buffers`. */
  sharedBuffers: number;
}

/** Taken by Node's heap, PGlite, the server itself and the code of chDB before there is any data. */
const BASE_MIB = 320;

/** Limits of the embedded databases for a process that may use `memoryMib`; null where there is enough memory. */
export function smallMemory(memoryMib: number): SmallMemory | null {
  if (memoryMib >= SMALL_MEMORY_MIB) return null;
  return {
    chdb: Math.max(128, memoryMib - BASE_MIB),
    chdbCache: Math.max(4, Math.floor(memoryMib / 64)),
    sharedBuffers: Math.max(8, Math.floor(memoryMib / 64)),
  };
}

/**
 * Memory that this process may use, in MiB: the limit of its container, or all of the machine's. Node returns 0, or more
 * than any machine has, where there is no limit.
 */
export function availableMemoryMib(
  constrainedBytes = process.constrainedMemory(),
  totalBytes = totalmem(),
): number {
  return Math.floor(Math.min(constrainedBytes || Infinity, totalBytes) / MIB);
}
