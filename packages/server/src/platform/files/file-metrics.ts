import type { Registry } from 'prom-client';
import { registerCounter, registerGauge } from '../telemetry/metrics.ts';
import type { FileStore } from './file-store.ts';

/** Registers the metrics of local copies of files, where files are stored elsewhere. */
export function registerFileMetrics(registry: Registry, { copies }: Pick<FileStore, 'copies'>): void {
  if (!copies) return;
  registerGauge(registry, 'bidwell_file_cache_bytes', 'Bytes of the local copies of files', copies.bytes);
  registerCounter(
    registry,
    'bidwell_file_cache_downloads_total',
    'Files that were not in the local cache and were asked for in S3',
    copies.downloads,
  );
}
