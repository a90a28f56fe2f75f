import type { EmbeddedPostgres } from '../../platform/postgres/embedded/embedded-postgres.ts';
import type { SilenceTimes } from '../../platform/postgres/embedded/embedded-watchdog.ts';
import type { FollowLink } from '../../platform/outbound/follow-link.ts';
import type { PostMessage } from '../../platform/outbound/post-message.ts';
import type { FetchPage } from '../../platform/outbound/fetch-page.ts';
import type { ProviderFetch } from '../../platform/outbound/provider-fetch.ts';
import type { ResolveTxt } from '../../platform/outbound/txt-records.ts';

/** Dependencies that tests replace. */
export interface AppOptions {
  /** A dump of an empty, migrated PGlite folder; see `openPostgres`. */
  postgresSnapshot?: Blob;
  /** An embedded PostgreSQL to use in place of a new one. */
  embedded?: EmbeddedPostgres;
  /** How long the embedded PostgreSQL may leave a statement without a response. */
  silenceTimes?: SilenceTimes;
  /** Keeps PGlite in memory. */
  postgresInMemory?: boolean;
  now?: () => Date;
  random?: () => number;
  /** How long a postback's request waits for its decision, ms; called for each request. */
  postbackAnswerMs?: () => number;
  fetchPage?: FetchPage;
  followLink?: FollowLink;
  postMessage?: PostMessage;
  /** How often alerts and scheduled reports are written and sent. */
  alertsEveryMs?: number;
  providerFetch?: ProviderFetch;
  resolveTxt?: ResolveTxt;
  /** Called with every response as it is sent, except for binary and streamed ones. */
  onResponse?: (response: {
    method: string;
    url: string;
    status: number;
    contentType: string;
    body: string;
  }) => void;
}
