import { sql } from 'kysely';
import type { Registry } from 'prom-client';
import type { Engines } from '../../engines.ts';
import type { Http } from './server.ts';

/** GET /healthz: the process answers. GET /readyz: so do its engines (200, else 503). GET /metrics: its figures. */
export function registerHealth(
  http: Http,
  { registry, engines }: { registry: Registry; engines: Engines },
): void {
  http.get('/healthz', async () => ({ data: 'ok' }));

  http.get('/readyz', async (_request, reply) => {
    const checks = {
      postgres: await answers(() => sql`select 1`.execute(engines.db)),
      clickhouse: await answers(async () => {
        if (!(await engines.clickhouse.ping())) throw new Error('no answer');
      }),
    };
    return reply.code(Object.values(checks).every(Boolean) ? 200 : 503).send({ data: checks });
  });

  http.get('/metrics', async (_request, reply) =>
    reply.type(registry.contentType).send(await registry.metrics()),
  );
}

async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  return ask().then(
    () => true,
    () => false,
  );
}
