import type { Change, EntityType } from '@bidwell/contract/change';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { ClickHouse } from './platform/clickhouse/client.ts';
import type { FetchPage } from './platform/outbound/fetch-page.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { KeptLists } from './platform/http/kept-lists.ts';
import type { Database } from './platform/postgres/client.ts';
import type { Publisher } from './platform/realtime/publisher.ts';

/** What every verb may need of the world. Made once in app.ts. */
export interface Engines {
  config: Config;
  log: Logger;
  db: Database;
  clickhouse: ClickHouse;
  files: FileStore;
  realtime: Publisher;
  /** Answers of lists, kept until the company changes. */
  keptLists: KeptLists;
  /** Reads pages from outside; null where the operator does not want that. */
  fetchPage: FetchPage | null;
  /** Told of every committed change of an entity: the bidder's snapshot listens. */
  entityChanged: (change: EntityChange) => void;
  /** Is told of sessions that ended, once they have: their open connections are closed, in every process. */
  sessionsEnded: (sessionIds: readonly string[]) => void;
  /** The clock; tests set it. */
  now: () => Date;
}

export interface EntityChange {
  companyId: string;
  entity: EntityType;
  uuid: string;
  action: Change['action'];
}
