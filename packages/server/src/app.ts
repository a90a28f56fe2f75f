import { CONSOLE_API, OPERATOR_API } from '@bidwell/contract/endpoint';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { Gauge } from 'prom-client';
import type { Config } from './config.ts';
import { createDelivery } from './delivery/delivery.ts';
import { deleteExpiredClaims } from './delivery/events/claims-store.ts';
import { registerIngestMetrics } from './delivery/events/ingest-metrics.ts';
import { INSTALL_LATENESS_DAYS, openIngest } from './delivery/events/ingest.ts';
import { ownIntake, shareIntake } from './delivery/events/shared-intake.ts';
import { createSigner } from './delivery/events/signing.ts';
import { createInvalidTrafficDetector } from './delivery/events/invalid-traffic.ts';
import type { EntityChange, Engines } from './engines.ts';
import { endLoggedOutSession, registerPublicAccounts, registerUsers } from './modules/accounts/routes.ts';
import { registerApiTokens } from './modules/accounts/api-token-routes.ts';
import { apiTokenSession, sessionOf } from './modules/accounts/service.ts';
import { deleteExpiredSessions } from './modules/accounts/session-store.ts';
import { createBooking } from './delivery/pacing/booking.ts';
import { deleteOldChanges } from './delivery/snapshot/changes-store.ts';
import { fundsOfAll } from './modules/finance/service.ts';
import { registerAdsets } from './modules/adsets/routes.ts';
import { registerAnalytics } from './modules/analytics/routes.ts';
import { checkLastHour } from './modules/anomalies/service.ts';
import { registerArchive } from './modules/archive/routes.ts';
import { fetchDomains } from './modules/apps/fetch-domains.ts';
import { registerApps } from './modules/apps/routes.ts';
import { registerCampaigns } from './modules/campaigns/routes.ts';
import { registerChanges } from './modules/changes/routes.ts';
import { registerCreativeGroups } from './modules/creative-groups/routes.ts';
import { registerFiles, registerMedia } from './modules/creatives/files.ts';
import { registerCreatives } from './modules/creatives/routes.ts';
import { spendPosting } from './modules/finance/posting.ts';
import { registerFinance } from './modules/finance/routes.ts';
import { liveMetrics } from './modules/live/service.ts';
import { registerNotifications } from './modules/notifications/routes.ts';
import { notifyOnce } from './modules/notifications/service.ts';
import { warnOfOpenExchanges } from './modules/operator/exchanges.ts';
import { registerOperator } from './modules/operator/routes.ts';
import { registerPostbackSettings } from './modules/postbacks/routes.ts';
import { registerReference } from './modules/reference/routes.ts';
import { registerTargets } from './modules/targets/routes.ts';
import { registerTrackingLinks } from './modules/tracking-links/routes.ts';
import { connectClickHouse } from './platform/clickhouse/client.ts';
import { setRetention } from './platform/clickhouse/retention.ts';
import { migrate as migrateClickHouse } from './platform/clickhouse/migrate.ts';
import { localFileStore } from './platform/files/file-store.ts';
import { lockFolder } from './platform/files/folder-lock.ts';
import { requireSession } from './platform/http/auth.ts';
import { serveConsole } from './platform/http/console.ts';
import { closeWithin, drain } from './platform/http/drain.ts';
import { sendUnknownRoute } from './platform/http/errors.ts';
import { registerHealth, registerMetrics } from './platform/http/health.ts';
import { createResponseCache } from './platform/http/response-cache.ts';
import { serveDocument } from './platform/http/openapi/document.ts';
import { publicUrlOf } from './platform/http/public-url.ts';
import { requireOperator } from './platform/http/operator-auth.ts';
import type { Http } from './platform/http/server.ts';
import { createHttp } from './platform/http/server.ts';
import { KEY_LIFE_MS } from './platform/idempotency/once.ts';
import { repeatableWrites } from './platform/idempotency/repeatable-writes.ts';
import { deleteExpiredKeys } from './platform/idempotency/store.ts';
import type { RepeatingJob } from './platform/jobs/repeat.ts';
import { repeat } from './platform/jobs/repeat.ts';
import { withTimeout } from './platform/jobs/with-timeout.ts';
import { smallMemory } from './platform/memory.ts';
import type { FetchPage } from './platform/outbound/fetch-page.ts';
import { createPageFetcher } from './platform/outbound/fetch-page.ts';
import { connectPostgres, migratePostgres } from './platform/postgres/client.ts';
import type { EmbeddedPostgres } from './platform/postgres/pglite-dialect.ts';
import { createCentrifugo } from './platform/realtime/centrifugo.ts';
import { fanOut } from './platform/realtime/fan-out.ts';
import { openNats } from './platform/realtime/nats.ts';
import { noOtherNodes } from './platform/realtime/nodes.ts';
import { createRealtime } from './platform/realtime/server.ts';
import { createLogger } from './platform/telemetry/logger.ts';
import { createStartup } from './platform/startup.ts';
import { createRegistry } from './platform/telemetry/metrics.ts';
import { readinessOf } from './readiness.ts';

/** Retention of event claims: one day longer than the latest install of a bid is accepted. */
const CLAIM_LIFE_MS = (INSTALL_LATENESS_DAYS + 1) * 86_400_000;

/** How long the start waits for a database server before it continues without it. */
const STARTUP_TIMEOUT_MS = 8000;
/** Timeouts for closing each part, with database servers: one that is unreachable must not block the stop. */
const PART_MS: Record<string, number> = { http: 3500, delivery: 6500, other: 1500 };
const STOP_JOBS_MS = 2000;

/** A server with all its dependencies and routes; `listen` opens its ports. */
export interface App {
  http: Http;
  /** Serves the operator's API and metrics: the same as `http`, or a separate server if ADMIN_PORT is set. */
  admin: Http;
  engines: Engines;
  /** Resolves once everything acknowledged is visible: events in reports, changes in the bidder. */
  settled(): Promise<void>;
  /** Listens on the configured hosts and ports; resolves to the console's URL. */
  listen(): Promise<string>;
  /** Reports "not ready" on /readyz and keeps serving requests for the grace period. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Dependencies that tests replace. */
export interface AppOptions {
  /** A dump of an empty, migrated PGlite folder; see `openPostgres`. */
  postgresSnapshot?: Blob;
  /** An open PGlite to use in place of a new one. */
  pglite?: EmbeddedPostgres;
  /** Keeps PGlite in memory. */
  postgresInMemory?: boolean;
  now?: () => Date;
  random?: () => number;
  fetchPage?: FetchPage;
  /** Called with every response as it is sent, except for binary and streamed ones. */
  answered?: (answer: {
    method: string;
    url: string;
    status: number;
    contentType: string;
    body: string;
  }) => void;
}

/** Folder of the build's output, which a server run from source uses as well. */
const programFolder = fileURLToPath(new URL('../dist', import.meta.url));
const consoleFolder = fileURLToPath(new URL('../../console/dist', import.meta.url));

/** Opens the engines, wires the modules and registers the routes. Parts are closed in the reverse order of opening. */
export async function createApp(config: Config, options: AppOptions = {}): Promise<App> {
  const log = createLogger(config.logLevel);
  const memory = smallMemory(config.memoryMib);
  const now = options.now ?? (() => new Date());
  let isStopping = false;
  const isServers = config.databaseUrl !== undefined || config.clickhouseUrl !== undefined;
  // Embedded engines run in this process and always answer, so they need no timeout.
  const startup = createStartup(log, isServers ? STARTUP_TIMEOUT_MS : Infinity);
  const closers: [part: string, close: () => Promise<unknown>][] = [];
  const closing = <T>(part: string, value: T, close: () => Promise<unknown>): T => {
    closers.unshift([part, close]);
    return value;
  };
  const close = async (): Promise<void> => {
    isStopping = true;
    startup.stop();
    for (const [part, closeOne] of closers.splice(0))
      await withTimeout(part, isServers ? (PART_MS[part] ?? PART_MS['other']!) : Infinity, log, closeOne);
  };
  try {
    const lock = await lockFolder(config.dataDir, () => {
      log.fatal('another process took over the data folder; this process stops');
      process.kill(process.pid, 'SIGTERM');
    });
    closing('folder lock', lock, () => lock.release());
    const clickhouse = await connectClickHouse({
      url: config.clickhouseUrl,
      dataDir: config.dataDir,
      memory,
    });
    closing('clickhouse', clickhouse, () => clickhouse.close());
    const clickhouseReady = await startup.attempt('migrate ClickHouse', async () => {
      await migrateClickHouse(clickhouse);
      await setRetention(clickhouse, config.retentionDays);
    });
    const db = await connectPostgres({
      url: config.databaseUrl,
      dataDir: options.postgresInMemory ? undefined : config.dataDir,
      snapshot: options.postgresSnapshot,
      pglite: options.pglite,
      templates: programFolder,
      memory,
    });
    closing('db', db, () => db.destroy());
    const postgres = await startup.attempt('migrate PostgreSQL', () =>
      migratePostgres(db, config.databaseUrl),
    );
    const booking = createBooking(db);
    const ingest = await openIngest({
      clickhouse,
      // With embedded engines there is only one process, so events need no claims.
      claims: config.databaseUrl ? db : null,
      dataDir: config.dataDir,
      bytesMax: config.eventLogMaxBytes,
      log,
      now,
      booking,
      recover: (work) => startup.attempt('read recent events for deduplication', work, [clickhouseReady]),
    });
    let delivers = false;
    closing('ingest', ingest, async () => (delivers ? undefined : ingest.close()));

    const pages =
      config.live.kind === 'centrifugo'
        ? createCentrifugo(config.live, log)
        : createRealtime(async (token) => sessionOf(engines, token), config.publicUrl);
    const nodes = config.live.kind === 'nats' ? await openNats(config.live.url, log) : noOtherNodes;
    closing('nodes', nodes, () => nodes.close());
    const live = fanOut(pages, nodes, {
      moved: (companyIds) => figures.movedElsewhere(companyIds),
    });
    const changed: ((change: EntityChange) => void)[] = [];
    const engines: Engines = {
      config,
      log,
      db,
      clickhouse,
      files: localFileStore(join(config.dataDir, 'files')),
      realtime: live,
      responseCache: createResponseCache(),
      fetchPage: config.storePages ? (options.fetchPage ?? createPageFetcher()) : null,
      onEntityChanged: (change) => {
        for (const listener of changed) listener(change);
      },
      onSessionsEnded: (sessionIds) => live.endSessions(sessionIds),
      now,
    };
    const figures = liveMetrics(engines, {
      settled: () => ingest.flushed(),
      isOpen: (companyId) => pages.isOpen(companyId),
      send: (companyId, message) => pages.toCompany(companyId, message),
      tell: (companyIds) => live.notifyMoved(companyIds),
    });
    closing('figures', figures, () => figures.stop());
    ingest.onStored(({ ref }) => {
      if (!ref.test) figures.moved([ref.companyId]);
    });

    const publicUrl = publicUrlOf(config);
    const registry = createRegistry();
    const fault = () => ingest.fault();
    const intake = config.databaseUrl
      ? shareIntake({
          db,
          log,
          own: config.roles.has('tracker') ? fault : null,
          bids: config.roles.has('bidder'),
        })
      : ownIntake(fault);
    closing('intake', intake, () => intake.stop());
    registerIngestMetrics(registry, ingest);
    const delivery = await createDelivery({
      db,
      clickhouse,
      ingest,
      intake,
      signer: createSigner(config.signingSecret, publicUrl, config.previousSigningSecret),
      log,
      registry,
      now,
      random: options.random ?? Math.random,
      publicUrl,
      assetUrl: config.assetOrigin ?? publicUrl,
      tcfVendorId: config.tcfVendorId,
      verification: config.verification,
      detectInvalidTraffic: createInvalidTrafficDetector(config.datacenterRanges),
      booking,
      bids: config.roles.has('bidder'),
      tracks: config.roles.has('tracker'),
      dataDir: config.dataDir,
      funds: () => fundsOfAll(engines),
      notifyOwner: ({ companyId, adsetId, ...news }) =>
        notifyOnce(engines, companyId, { kind: 'adset', ...news, entity: { type: 'adset', uuid: adsetId } }),
      startup,
      changesUrl: config.databaseUrl ?? null,
      postgres,
      clickhouseReady,
      snapshotFolder:
        config.databaseUrl && (config.roles.has('bidder') || config.roles.has('tracker'))
          ? join(config.dataDir, 'snapshot')
          : null,
    });
    closing('delivery', delivery, () => delivery.close());
    delivers = true;
    changed.push(({ entity }) => {
      delivery.snapshot.invalidate();
      if (entity === 'company') void delivery.reloadFunds().catch(() => {});
    });

    const post = spendPosting(engines);
    const postSpend = async () => figures.moved(await post());
    registry.registerMetric(
      new Gauge({
        name: 'bidwell_live_connections',
        help: 'Pages connected to this process',
        registers: [],
        collect() {
          this.set(pages.connections());
        },
      }),
    );
    const jobs: RepeatingJob[] = [];
    const http = closing('http', await createHttp(config, log), async () => {
      const stopping = jobs.map((job) => withTimeout('jobs', STOP_JOBS_MS, log, () => job.stop()));
      await pages.close();
      await closeWithin(http.server, () => http.close());
      await Promise.all(stopping);
    });
    const { answered } = options;
    if (answered)
      http.addHook('onSend', async ({ method, url }, reply, payload) => {
        const contentType = String(reply.getHeader('content-type') ?? '');
        if (typeof payload === 'string' || payload === undefined || payload === null)
          answered({ method, url, status: reply.statusCode, contentType, body: payload ?? '' });
      });
    pages.attach(http.server);
    const readiness = {
      engines,
      delivery,
      startup,
      postgres,
      clickhouse: clickhouseReady,
      isStopping: () => isStopping,
      fault,
    };
    const admin: Http = config.admin
      ? closing('operator http', await createHttp(config, log), () => admin.close())
      : http;
    for (const server of new Set([http, admin])) registerHealth(server, () => readinessOf(readiness));
    registerMetrics(admin, registry);
    if (config.roles.has('bidder')) {
      await startup.attempt('check for open exchanges', () => warnOfOpenExchanges(db, log, now()), [
        postgres,
      ]);
      await delivery.registerBidder(http);
      jobs.push(repeat(30_000, 'reload funds', log, () => delivery.reloadFunds()));
    }
    if (config.roles.has('tracker')) delivery.registerTrackers(http);
    if (config.roles.has('tracker') || config.roles.has('api')) registerMedia(http, engines);
    if (config.roles.has('api')) await registerApi(http, admin, engines);
    await serveConsole(http, config, config.roles.has('api') ? consoleFolder : null);
    if (config.roles.has('jobs')) {
      jobs.push(
        repeat(2000, 'post spend to the ledger', log, postSpend),
        repeat(3_600_000, 'delete expired event claims', log, () =>
          deleteExpiredClaims(db, now().getTime() - CLAIM_LIFE_MS),
        ),
        repeat(600_000, 'delete old change announcements', log, () => deleteOldChanges(db)),
        repeat(60_000, 'fetch advertiser domains', log, () => fetchDomains(engines)),
        repeat(60_000, 'detect anomalies', log, () => checkLastHour(engines)),
        repeat(3_600_000, 'delete expired sessions', log, () => deleteExpiredSessions(db, now())),
        repeat(3_600_000, 'delete expired idempotency keys', log, () =>
          deleteExpiredKeys(db, new Date(now().getTime() - KEY_LIFE_MS)),
        ),
      );
    }
    if (admin !== http) admin.setNotFoundHandler(sendUnknownRoute);
    await http.ready();
    await admin.ready();

    return {
      http,
      admin,
      engines,
      close,
      async drain() {
        isStopping = true;
        await drain(http.server, config.shutdownGraceMs);
      },
      async settled() {
        await delivery.postbacksDecided();
        await ingest.flushed();
        await postSpend();
        await delivery.snapshot.refreshed();
        await delivery.reloadFunds();
        await delivery.faults.flushed();
      },
      async listen() {
        await http.listen({ port: config.port, host: config.host });
        if (config.admin) await admin.listen(config.admin);
        const { port } = http.server.address() as AddressInfo;
        return config.publicUrl ?? `http://localhost:${port}`;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function registerApi(http: Http, admin: Http, engines: Engines): Promise<void> {
  const { config } = engines;
  http.decorateRequest('session', null);
  for (const server of new Set([http, admin])) await serveDocument(server, config);
  const readSession = async (token: string) => {
    const read = await sessionOf(engines, token);
    return typeof read === 'string' ? null : read.session;
  };
  const endLoggedOut = endLoggedOutSession(engines);
  await http.register(
    async (scope: Http) => {
      scope.addHook('onRequest', endLoggedOut);
      await registerPublicAccounts(scope, engines);
    },
    { prefix: CONSOLE_API },
  );
  await http.register(
    async (scope: Http) => {
      const readApiToken = async (token: string) => apiTokenSession(engines, token);
      scope.addHook('onRequest', endLoggedOut);
      scope.addHook('onRequest', requireSession(readSession, readApiToken));
      // Each has its own limits for multipart forms.
      await scope.register(async (users: Http) => registerUsers(users, engines));
      await scope.register(async (creatives: Http) => registerCreatives(creatives, engines));
      registerFiles(scope, engines);
      registerApps(scope, engines);
      registerCreativeGroups(scope, engines);
      registerTargets(scope, engines);
      registerTrackingLinks(scope, engines);
      registerAdsets(scope, engines);
      registerCampaigns(scope, engines);
      registerArchive(scope, engines);
      registerApiTokens(scope, engines);
      await scope.register(async (reports: Http) => registerAnalytics(reports, engines));
      registerFinance(scope, engines);
      registerNotifications(scope, engines);
      registerChanges(scope, engines);
      registerReference(scope, engines);
      registerPostbackSettings(scope, engines);
    },
    { prefix: CONSOLE_API },
  );
  await admin.register(
    async (scope: Http) => {
      scope.addHook('onRequest', requireOperator(config.operatorToken, engines.now));
      repeatableWrites(scope, engines);
      registerOperator(scope, engines);
    },
    { prefix: OPERATOR_API },
  );
}
