import type { FileStore } from '../platform/files/file-store.ts';
import type { ClickHouse } from '../platform/clickhouse/client.ts';
import type { Database } from '../platform/postgres/client.ts';
import type { BackupSecrets } from './manifest.ts';

/** What an installation consists of. */
export interface BackupParts {
  db: Database;
  clickhouse: ClickHouse;
  /** Whether all of the server share one connection to PostgreSQL, so that a backup must not hold it. */
  isShared?: boolean;
  /** How long events are waited for that are booked and not stored, ms; a minute by default. */
  waitMs?: number;
  files: Pick<FileStore, 'read' | 'size'>;
  /** The generated secrets of DATA_DIR; null where those of all servers are in PostgreSQL. */
  secrets: BackupSecrets | null;
}
