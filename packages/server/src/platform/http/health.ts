import type { Registry } from 'prom-client';
import type { Http } from './server.ts';

/** Readiness of a process, as GET /readyz reports it. */
export interface Readiness {
  /** True for each role of the process that can do its work; otherwise the reason, in a sentence. */
  roles: Record<string, true | string>;
  /** Whether the databases respond. */
  postgres: boolean;
  clickhouse: boolean;
  /** Degraded functions that do not stop any role, in sentences. */
  degraded: string[];
  /** The snapshot that the bidder uses; absent in a process without a bidder. */
  snapshot?: { source: string; version: string; age_seconds: number | null };
}

/** How long a response of /readyz is reused: the route is public, and each new response queries the databases. */
const FRESH_MS = 500;

/**
 * GET /healthz: 200 while the process responds. GET /readyz: 200 when every role of the process can do its work, else 503; the
 * body lists the roles that cannot, and the degraded functions.
 */
export function registerHealth(http: Http, readiness: () => Promise<Readiness>): void {
  let last: { atMs: number; result: Promise<Readiness> } | undefined;

  http.get('/healthz', async () => ({ data: 'ok' }));

  http.get('/readyz', async (_request, reply) => {
    const nowMs = performance.now();
    if (!last || nowMs - last.atMs >= FRESH_MS) last = { atMs: nowMs, result: readiness() };
    const result = await last.result;
    const isReady = Object.values(result.roles).every((state) => state === true);
    return reply
      .code(isReady ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ data: { ready: isReady, ...result } });
  });
}

/** GET /metrics: the process's metrics for Prometheus. */
export function registerMetrics(http: Http, registry: Registry): void {
  http.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}
