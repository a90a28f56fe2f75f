import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { type Databases, openDatabases } from './composition/databases.ts';
import { openDelivery } from './composition/delivery.ts';
import { startJobs, startRecordingForecasts } from './composition/jobs.ts';
import { type Lifetime, createLifetime } from './composition/lifetime.ts';
import { openContext } from './composition/live.ts';
import type { AppOptions } from './composition/options.ts';
import { type Servers, createServers, registerRoutes } from './composition/servers.ts';
import { checkSecrets, encryptSecrets } from './composition/secrets.ts';
import { reportProcess } from './composition/process-state.ts';
import type { Config } from '../config/config.ts';
import { type Delivery, registerCounterMetrics, registerIngestMetrics } from '../delivery/public.ts';
import type { Context } from '../context.ts';
import { spendPosting } from '../modules/money/public.ts';
import { registerFileMetrics } from '../platform/files/file-cache.ts';
import { drain } from '../platform/http/drain.ts';
import { registerHealth, registerMetrics } from '../platform/http/health.ts';
import type { Http } from '../platform/http/server.ts';
import type { RepeatingJob } from '../platform/jobs/repeat.ts';
import type { Pages } from '../platform/realtime/publisher.ts';
import { createLogger } from '../platform/telemetry/logger.ts';
import { registerReplicaMetrics } from '../platform/postgres/replica.ts';
import { createRegistry, registerGauge, registerCounter } from '../platform/telemetry/metrics.ts';
import { createReadiness } from './readiness.ts';
import { type Nats, openNats } from '../platform/nats/connection.ts';
import { startTracing } from '../platform/telemetry/trace-exporter.ts';
import type { Server } from 'node:http';

/** A server with all its dependencies and routes; `listen` opens its ports. */
export interface App {
  http: Http;
  /** Serves the operator's API and metrics: the same as `http`, or a separate server if ADMIN_PORT is set. */
  admin: Http;
  ctx: Context;
  /** Resolves once everything acknowledged is visible: events in reports, changes in the bidder. */
  settled(): Promise<void>;
  /** Listens on the configured hosts and ports; resolves to the console's URL. */
  listen(): Promise<string>;
  /** Reports "not ready" on /readyz and keeps serving requests for the grace period. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the engines, wires the modules and registers the routes. Parts are closed in the reverse order of opening. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = createLogger(config.logLevel);
  const lifetime = createLifetime(config, log, options.now ?? (() => new Date()));
  try {
    return await start(lifetime, options);
  } catch (error) {
    await lifetime.close();
    throw error;
  }
}

async function start(lifetime: Lifetime, options: AppOptions): Promise<App> {
  await openTracing(lifetime);
  let isDelivering = false;
  const nats = connectNats(lifetime);
  const isIngestOwned = () => isDelivering;
  const databases = await openDatabases(lifetime, { nats, options, isIngestOwned });
  await checkSecrets(lifetime, databases);
  const live = await openContext(lifetime, databases, { nats, options });
  const { ctx, pages, figures } = live;
  await encryptSecrets(lifetime, databases, ctx);
  const registry = createRegistry();
  registerIngestMetrics(registry, databases.events.ingest);
  registerCounterMetrics(registry, databases.events);
  const random = options.random ?? Math.random;
  const { postbackAnswerMs } = options;
  const own = { ctx, bus: nats, registry, random, postbackAnswerMs };
  const delivery = await openDelivery(lifetime, databases, own);
  // Delivery closes the event log.
  isDelivering = true;
  live.onChanged(({ entity }) =>
    delivery.changed(entity === 'company' ? ['snapshot', 'funds'] : ['snapshot']),
  );
  live.onInstallationChanged(() => delivery.changed(['snapshot', 'funds']));
  const post = spendPosting(ctx);
  const postSpend = async () => figures.moved(await post());
  const jobs: RepeatingJob[] = [];
  const servers = await createServers(lifetime, { pages, jobs, onResponse: options.onResponse });
  registerOperations(lifetime, servers, { databases, ctx, delivery, registry, pages, nats });
  await registerRoutes(lifetime, servers, { ctx, delivery, postgres: databases.postgres });
  jobs.push(...startRecordingForecasts(ctx, delivery, live.onChanged));
  jobs.push(
    ...startJobs(ctx, {
      databases,
      delivery,
      postSpend,
      registry,
      onMessageQueued: live.onMessageQueued,
      alertsEveryMs: options.alertsEveryMs,
    }),
  );
  await servers.http.ready();
  await servers.admin.ready();
  return appOf(lifetime, servers, { ctx, settled: () => settle(databases, delivery, postSpend) });
}

/** Registers health checks and metrics. */
function registerOperations(
  lifetime: Lifetime,
  { http, admin }: Servers,
  parts: {
    databases: Databases;
    ctx: Context;
    delivery: Delivery;
    registry: Registry;
    pages: Pages;
    nats: Nats | null;
  },
): void {
  const { startup, isStopping } = lifetime;
  const { databases, ctx, delivery, registry, pages, nats } = parts;
  const { postgres, watchdog, clickhouseReady: clickhouse, events } = databases;
  const { counter, ingest } = events;
  const readiness = createReadiness({
    ctx,
    delivery,
    counter,
    ingest,
    nats,
    startup,
    postgres,
    watchdog,
    clickhouse,
    isStopping,
  });
  for (const server of new Set([http, admin])) registerHealth(server, readiness);
  reportProcess(lifetime, { ctx, postgres, events, readiness, registry });
  if (ctx.config.roles.has('bidder'))
    registerGauge(
      registry,
      'bidwell_leases_fresh',
      'Whether PostgreSQL renewed the leases in time: 1 if so',
      () => (delivery.hasFreshLease() ? 1 : 0),
    );
  registerGauge(registry, 'bidwell_live_connections', 'Pages with a live connection to this process', () =>
    pages.connections(),
  );
  registerConnectionMetrics(registry, http.server);
  registerGauge(registry, 'bidwell_stopping', 'Whether this process was asked to stop: 1 if so', () =>
    isStopping() ? 1 : 0,
  );
  if (ctx.replica) registerReplicaMetrics(registry, ctx.replica);
  registerFileMetrics(registry, ctx.files);
  registerMetrics(admin, registry);
}

async function settle(
  { events }: Databases,
  delivery: Delivery,
  postSpend: () => Promise<void>,
): Promise<void> {
  await delivery.postbacksDecided();
  await delivery.funnelStored();
  await events.ingest.flushed();
  await postSpend();
  await delivery.snapshot.refreshed();
  await delivery.audiencesLoaded();
  await delivery.reloadFunds();
  await delivery.faults.flushed();
  await delivery.exchangesReported();
}

function appOf(
  { config, close, stopping }: Lifetime,
  { http, admin }: Servers,
  { ctx, settled }: Pick<App, 'ctx' | 'settled'>,
): App {
  return {
    http,
    admin,
    ctx,
    close,
    settled,
    async drain() {
      stopping();
      const servers = [...new Set([http.server, admin.server])];
      await Promise.all(servers.map((server) => drain(server, config.shutdownGraceMs)));
    },
    async listen() {
      await http.listen({ port: config.port, host: config.host });
      if (config.admin) await admin.listen(config.admin);
      const { port } = http.server.address() as AddressInfo;
      return config.publicUrl ?? `http://localhost:${port}`;
    },
  };
}

/** Connects to NATS in the background, for all that this process exchanges with others; null without NATS_URL. */
function connectNats({ config, log, closing }: Lifetime): Nats | null {
  if (config.natsUrl === undefined) return null;
  const nats = openNats(config.natsUrl, log);
  return closing('NATS', nats, () => nats.close());
}

/** Starts sending traces if a collector is named. They are stopped last, so that the stop itself is traced. */
async function openTracing({ config, closing }: Lifetime): Promise<void> {
  if (!config.tracing) return;
  const tracing = await startTracing(config.tracing);
  closing('tracing', tracing, () => tracing.stop());
}

/** Registers the counter of connections that a server refused because it had too many. */
function registerConnectionMetrics(registry: Registry, server: Server): void {
  let refused = 0;
  server.on('drop', () => (refused += 1));
  registerCounter(
    registry,
    'bidwell_connections_refused_total',
    'Connections that were closed at once because there were too many',
    () => refused,
  );
}
