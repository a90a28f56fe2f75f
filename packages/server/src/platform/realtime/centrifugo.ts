import type { LiveMessage } from '@bidwell/contract/live/schema';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { abortAfter } from '../concurrency/time-limits.ts';
import { type Disconnect, disconnects } from './protocol.ts';
import { type Pages, companyChannel, hasHistory } from './publisher.ts';

/** Address of Centrifugo's HTTP API, such as `http://centrifugo:8000/api`, and its key. */
export interface CentrifugoApi {
  url: string;
  key: string;
}

/** Commands per call. */
const BATCH = 100;
/** Commands queued while Centrifugo is unavailable; beyond that the oldest are dropped. */
const WAITING_MAX = 10_000;
const TIMEOUT_MS = 5000;
const RETRY_MS = { first: 200, last: 5000 } as const;

const Replies = z.object({
  replies: z.array(z.object({ error: z.object({ code: z.number(), message: z.string() }).optional() })),
});

interface Publish {
  channel: string;
  data: LiveMessage;
  /** Prevents duplicates when a call is repeated. */
  idempotency_key: string;
  skip_history?: true;
}

/** A command of its API. */
type ApiCommand = { publish: Publish } | { disconnect: { user: string; disconnect: Disconnect } };

/** The people of sessions, by the ids of the sessions. */
export type UsersOfSessions = (sessionIds: readonly string[]) => Promise<string[]>;

/**
 * Publishes to pages that are connected to Centrifugo, by its HTTP API (version 5 or newer), in order and in batches.
 * While it is unavailable they are queued. It knows people and no sessions: where one of a person ends, all connections of that person
 * are closed, and the pages of the others connect again with new tokens.
 */
export function createCentrifugo(
  { url, key }: CentrifugoApi,
  log: Logger,
  usersOfSessions: UsersOfSessions,
): Pages {
  let waiting: ApiCommand[] = [];
  let sending: Promise<void> | null = null;
  const closing = new AbortController();

  async function sendAll(): Promise<void> {
    let retryMs: number = RETRY_MS.first;
    while (waiting.length > 0 && !closing.signal.aborted) {
      const batch = waiting.slice(0, BATCH);
      try {
        await send(batch);
        // Some of them may have been dropped meanwhile.
        const sent = new Set(batch);
        waiting = waiting.filter((command) => !sent.has(command));
        retryMs = RETRY_MS.first;
      } catch (err) {
        log.warn({ err, waiting: waiting.length }, 'Centrifugo did not accept live updates; retrying');
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {});
        retryMs = Math.min(retryMs * 2, RETRY_MS.last);
      }
    }
  }

  async function send(batch: readonly ApiCommand[]): Promise<void> {
    const { replies } = await abortAfter(TIMEOUT_MS, [closing.signal], async (signal) => {
      const response = await fetch(`${url}/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ commands: batch }),
        signal,
      });
      if (!response.ok) throw new Error(`Centrifugo answered ${response.status}`);
      return Replies.parse(await response.json());
    });
    for (const { error } of replies) {
      // 100 is its internal error, which is temporary; publications that it rejects otherwise are not sent again.
      if (error?.code === 100) throw new Error(`Centrifugo: ${error.message}`);
      if (error)
        log.error({ error }, 'Centrifugo rejected a live update; check that its namespaces are configured');
    }
  }

  function enqueue(command: ApiCommand): void {
    if (waiting.length >= WAITING_MAX) waiting.shift();
    waiting.push(command);
    sending ??= sendAll().finally(() => {
      sending = null;
    });
  }

  return {
    toCompany(companyId: string, message: LiveMessage): void {
      enqueue({
        publish: {
          channel: companyChannel(companyId),
          data: message,
          idempotency_key: randomUUID(),
          ...(!hasHistory(message) && { skip_history: true }),
        },
      });
    },
    // Connections are unknown here, so changed figures are published whether or not a page is open.
    isOpen: () => true,
    endSessions(sessionIds): void {
      if (sessionIds.length === 0) return;
      usersOfSessions(sessionIds).then(
        (users) => {
          // The code of an invalid token: pages request a new one, which ended sessions do not get.
          for (const user of users) enqueue({ disconnect: { user, disconnect: disconnects.invalidToken } });
        },
        (err: unknown) => log.error({ err }, 'connections of ended sessions end with their tokens'),
      );
    },
    startAnew() {},
    connections: () => 0,
    attach() {},
    async close() {
      closing.abort();
      await sending;
    },
  };
}
