import { Session } from 'chdb';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SmallMemory } from '../memory.ts';

const MIB = 1024 ** 2;

/**
 * Opens chDB at `path` with the limits for small memory. They apply to all sessions of this process, which share one
 * engine: close this first session last. Throws chDB's errors.
 */
export async function openWithin(memory: SmallMemory, path: string, dataDir: string): Promise<Session> {
  const file = join(dataDir, 'chdb.xml');
  await writeFile(file, configuration(memory));
  // The constructor's type lacks its second argument.
  const Limited = Session as unknown as new (path: string, options: { connectionArgs: string[] }) => Session;
  return new Limited(path, { connectionArgs: [`--config-file=${file}`] });
}

function configuration({ chdb, chdbCache }: SmallMemory): string {
  const server = {
    max_server_memory_usage: chdb * MIB,
    mark_cache_size: chdbCache * MIB,
    primary_index_cache_size: chdbCache * MIB,
    index_mark_cache_size: MIB,
    uncompressed_cache_size: 0,
    index_uncompressed_cache_size: 0,
    mmap_cache_size: 64,
    compiled_expression_cache_size: 0,
    background_pool_size: 1,
    background_merges_mutations_concurrency_ratio: 1,
    background_common_pool_size: 1,
    max_thread_pool_size: 64,
    max_io_thread_pool_size: 4,
    max_thread_pool_free_size: 4,
  };
  const merges = {
    // A merge allocates buffers for each part that it reads, and merged parts stay open for this many seconds.
    max_parts_to_merge_at_once: 10,
    merge_max_block_size: 1024,
    merge_max_block_size_bytes: 2 * MIB,
    old_parts_lifetime: 30,
  };
  return `<clickhouse>${elements(server)}<merge_tree>${elements(merges)}</merge_tree></clickhouse>`;
}

function elements(values: Record<string, number>): string {
  return Object.entries(values)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');
}
