import type { Registry } from 'prom-client';
import type { Http } from './server.ts';

/** What a process says of itself when it is asked whether requests should come to it. */
export interface Readiness {
  /** Whether each of the process's roles can do its work; else why not, in a sentence. */
  roles: Record<string, true | string>;
  /** Whether the databases answer. */
  postgres: boolean;
  clickhouse: boolean;
  /** What does not work as it should though every role may do its work, in sentences. */
  degraded: string[];
  /** What the bidder bids from; absent in a process without one. */
  snapshot?: { source: string; version: string; age_seconds: number | null };
}

/** How long an answer of /readyz is given again: anyone may ask, and each answer asks the databases. */
const FRESH_MS = 500;

/**
 * GET /healthz: 200 while the process answers. GET /readyz: 200 when every role of the process can do its work, else 503; the
 * body says which cannot and what is degraded.
 */
export function registerHealth(http: Http, readiness: () => Promise<Readiness>): void {
  let last: { atMs: number; answer: Promise<Readiness> } | undefined;

  http.get('/healthz', async () => ({ data: 'ok' }));

  http.get('/readyz', async (_request, reply) => {
    const nowMs = performance.now();
    if (!last || nowMs - last.atMs >= FRESH_MS) last = { atMs: nowMs, answer: readiness() };
    const answer = await last.answer;
    const isReady = Object.values(answer.roles).every((state) => state === true);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ data: { ready: isReady, ...answer } });
  });
}

/** GET /metrics: the process's figures for Prometheus. */
export function registerMetrics(http: Http, registry: Registry): void {
  http.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
