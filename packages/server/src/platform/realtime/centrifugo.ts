import type { LiveMessage } from '@bidwell/contract/live';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Pages } from './publisher.ts';
import { companyChannel, isKept } from './publisher.ts';

/** Where Centrifugo's HTTP API is, such as `http://centrifugo:8000/api`, and its key. */
export interface CentrifugoApi {
  url: string;
  key: string;
}

/** Publications in one call. */
const BATCH = 100;
/** Publications that wait while Centrifugo is away; beyond that the oldest are given up. */
const WAITING_MAX = 10_000;
const TIMEOUT_MS = 5000;
const RETRY_MS = { first: 200, last: 5000 } as const;

const Replies = z.object({
  replies: z.array(z.object({ error: z.object({ code: z.number(), message: z.string() }).optional() })),
});

interface Publish {
  channel: string;
  data: LiveMessage;
  /** A call that is sent again publishes nothing twice. */
  idempotency_key: string;
  skip_history?: true;
}

/**
 * Pages that are connected to Centrifugo: publications go there by its HTTP API (version 5 or newer), in their order,
 * many in one call. While it is away they wait.
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
        // Some of them may have been given up meanwhile.
        const sent = new Set(batch);
        waiting = waiting.filter((publish) => !sent.has(publish));
        retryMs = RETRY_MS.first;
      } catch (err) {
        log.warn(
          { err, waiting: waiting.length },
          'Centrifugo did not take live updates; they are sent again',
        );
        await pause(retryMs, undefined, { signal: closing.signal }).catch(() => {});
        retryMs = Math.min(retryMs * 2, RETRY_MS.last);
      }
    }
  }

  async function send(batch: readonly Publish[]): Promise<void> {
    const response = await fetch(`${url}/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ commands: batch.map((publish) => ({ publish })) }),
      signal: AbortSignal.any([closing.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new Error(`Centrifugo answered ${response.status}`);
    const { replies } = Replies.parse(await response.json());
    for (const { error } of replies) {
      // 100 is its internal error, which passes; what it refuses for good is not sent again.
      if (error?.code === 100) throw new Error(`Centrifugo: ${error.message}`);
      if (error) log.error({ error }, 'Centrifugo refused a live update: are its namespaces configured?');
    }
  }

  return {
    toCompany(companyId: string, message: LiveMessage): void {
      if (waiting.length >= WAITING_MAX) waiting.shift();
      waiting.push({
        channel: companyChannel(companyId),
        data: message,
        idempotency_key: randomUUID(),
        ...(!isKept(message) && { skip_history: true }),
      });
      sending ??= sendAll().finally(() => {
        sending = null;
      });
    },
    // It is not asked who is connected: figures that moved are published whether or not someone looks.
    isOpen: () => true,
    // Its connections live as long as their tokens.
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
