import type { Change, EntityType } from '@bidwell/contract/changes/schema';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { ClickHouse } from './platform/clickhouse/client.ts';
import type { Encryption } from './platform/encryption.ts';
import type { FollowLink } from './platform/outbound/follow-link.ts';
import type { CallPartner } from './platform/outbound/call-partner.ts';
import type { PostMessage } from './platform/outbound/post-message.ts';
import type { PutObject } from './platform/outbound/put-object.ts';
import type { FetchFile } from './platform/outbound/fetch-file.ts';
import type { FetchPage } from './platform/outbound/fetch-page.ts';
import type { ResolveTxt } from './platform/outbound/txt-records.ts';
import type { IdentityProviders } from './platform/oidc/identity-providers.ts';
import type { FileStore } from './platform/files/file-store.ts';
import type { ResponseCache, ResponseMemory } from './platform/http/bodies/response-cache.ts';
import type { Database } from './platform/postgres/client.ts';
import type { MessageLane } from './platform/postgres/message-table.ts';
import type { BrandReader } from './platform/brand/brand-reader.ts';
import type { Mailer } from './platform/mail/mailer.ts';
import type { Replica } from './platform/postgres/replica.ts';
import type { Publisher } from './platform/realtime/publisher.ts';

/** What the verbs of all modules need of the process. Created once, at the start. */
export interface Context {
  config: Config;
  log: Logger;
  db: Database;
  /** A read replica of `db`, for lists only; null without one. */
  replica: Replica | null;
  clickhouse: ClickHouse;
  files: FileStore;
  realtime: Publisher;
  /** Cached list responses, evicted when the company changes. */
  responseCache: ResponseCache;
  /** Counts the memory of long responses under way. */
  responseMemory: ResponseMemory;
  /** Fetches pages of app stores; null where STORE_PAGES is off. */
  fetchPage: FetchPage | null;
  /** Follows the redirects of a link, for its check. */
  followLink: FollowLink;
  /** Posts messages to addresses that companies entered. */
  postMessage: PostMessage;
  /** Calls servers of measurement partners, and of exchanges that review creatives. */
  callPartner: CallPartner;
  /** Fetches files of ids from addresses that companies entered. */
  fetchFile: FetchFile;
  /** Stores files in buckets of companies. */
  putObject: PutObject;
  /** Providers at which people of companies sign in. */
  identityProviders: IdentityProviders;
  /** Looks DNS TXT records up. */
  resolveTxt: ResolveTxt;
  /** The way to the mail server; null where SMTP_URL is not set. Modules send by `messaging`. */
  mailer: Mailer | null;
  /** The name, the logo and the colours of the installation. */
  brand: BrandReader;
  /** Encrypts the secrets that the database has to return in plain text. */
  encryption: Encryption;
  /** Called after each committed change of an entity; the bidder's snapshot subscribes. */
  onEntityChanged: (change: EntityChange) => void;
  /** Called after each committed change of what the bids of all companies depend on: exchanges, rates, the bidding stop. */
  onInstallationChanged: () => void;
  /** Called after the commit of a message that waits in a lane; the messenger of this process subscribes. */
  onMessageQueued: (lane: MessageLane) => void;
  /** Called after sessions have ended; closes their open connections in every process. */
  onSessionsEnded: (sessionIds: readonly string[]) => void;
  /** The current time; tests replace it. */
  now: () => Date;
}

export interface EntityChange {
  companyId: string;
  entity: EntityType;
  uuid: string;
  action: Change['action'];
}
