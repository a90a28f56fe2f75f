import type { LiveMessage } from '@bidwell/contract/live/schema';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { abortAfter } from '../concurrency/abort-after.ts';
import { type Pages, companyChannel, hasHistory } from './publisher.ts';

/** Address of Centrifugo's HTTP API, such as `http://centrifugo:8000/api`, and its key. */
export interface CentrifugoApi {
  url: string;
  key: string;
}

/** Publications per call. */
const BATCH = 100;
/** Publications queued while Centrifugo is unavailable; beyond that the oldest are dropped. */
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

/**
 * Publishes to pages that are connected to Centrifugo, by its HTTP API (version 5 or newer), in order and in batches.
 * While it is unavailable publications are queued.
 */
export function createCentrifugo({ url, key }: CentrifugoApi, log: Logger): Pages {
  let waiting: Publish[] = [];
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
        waiting = waiting.filter((publish) => !sent.has(publish));
        retryMs = RETRY_MS.first;
      } catch (err) {
        log.warn({ err, waiting: waiting.length }, 'Centrifugo did not accept live updates; retrying');
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {});
        retryMs = Math.min(retryMs * 2, RETRY_MS.last);
      }
    }
  }

  async function send(batch: readonly Publish[]): Promise<void> {
    const { replies } = await abortAfter(TIMEOUT_MS, [closing.signal], async (signal) => {
      const response = await fetch(`${url}/batch`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ commands: batch.map((publish) => ({ publish })) }),
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

  return {
    toCompany(companyId: string, message: LiveMessage): void {
      if (waiting.length >= WAITING_MAX) waiting.shift();
      waiting.push({
        channel: companyChannel(companyId),
        data: message,
        idempotency_key: randomUUID(),
        ...(!hasHistory(message) && { skip_history: true }),
      });
      sending ??= sendAll().finally(() => {
        sending = null;
      });
    },
    // Connections are unknown here, so changed figures are published whether or not a page is open.
    isOpen: () => true,
    // Its connections end when their tokens expire.
    endSessions() {},
    startAnew() {},
    connections: () => 0,
    attach() {},
    async close() {
      closing.abort();
      await sending;
    },
  };
}
