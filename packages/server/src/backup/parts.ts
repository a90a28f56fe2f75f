import type { FileStore } from '../platform/files/file-store.ts';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Database } from '../platform/postgres/client.ts';
import type { BackupSecrets } from './manifest.ts';

/** What an installation consists of. */
export interface BackupParts {
  db: Database;
  clickhouse: ClickHouse;
  files: Pick<FileStore, 'read' | 'size'>;
  /** The generated secrets of DATA_DIR; null where those of all servers are in PostgreSQL. */
  secrets: BackupSecrets | null;
}
