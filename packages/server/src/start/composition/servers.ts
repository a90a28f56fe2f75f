import { CONSOLE_FOLDER } from '../../config/config.ts';
import { CONSOLE_API, OPERATOR_API } from '@bidwell/contract/lib/endpoint';
import type { Delivery } from '../../delivery/public.ts';
import type { Context } from '../../context.ts';
import { MCP_PATH } from '../../mcp/routes.ts';
import { registerMedia } from '../../modules/catalog/public.ts';
import { warnOfExchangeSettings } from '../../modules/operations/public.ts';
import { registerBrandImages } from '../../platform/brand/brand-images.ts';
import { registerWellKnown } from '../../platform/brand/well-known.ts';
import { serveConsole } from '../../platform/http/console.ts';
import { Unavailable } from '../../platform/errors.ts';
import { closeWithin } from '../../platform/http/drain.ts';
import { type Http, createHttp } from '../../platform/http/server.ts';
import type { RepeatingJob } from '../../platform/jobs/repeat.ts';
import { withTimeout } from '../../platform/concurrency/time-limits.ts';
import type { Pages } from '../../platform/realtime/publisher.ts';
import type { Step } from '../../platform/startup.ts';
import { registerApi } from './api.ts';
import type { Lifetime } from './lifetime.ts';
import type { AppOptions } from './options.ts';

const STOP_JOBS_MS = 2000;
/** Path of the operator console. */
const OPERATOR_CONSOLE = '/operator';

/** The server of all users, and the server of operators: the same, or another one if ADMIN_PORT is set. */
export interface Servers {
  http: Http;
  admin: Http;
}

/** Creates the HTTP servers without routes. Closing them stops `jobs`. */
export async function createServers(
  { config, log, closing }: Lifetime,
  {
    pages,
    jobs,
    onResponse,
  }: { pages: Pages; jobs: readonly RepeatingJob[]; onResponse: AppOptions['onResponse'] },
): Promise<Servers> {
  const http = closing('http', await createHttp(config, log), async () => {
    const stopping = jobs.map((job) => withTimeout('jobs', STOP_JOBS_MS, log, () => job.stop()));
    await pages.close();
    await closeWithin(http.server, () => http.close());
    await Promise.all(stopping);
  });
  if (onResponse)
    http.addHook('onSend', async ({ method, url }, reply, payload) => {
      const contentType = String(reply.getHeader('content-type') ?? '');
      if (typeof payload === 'string' || payload === undefined || payload === null)
        onResponse({ method, url, status: reply.statusCode, contentType, body: payload ?? '' });
    });
  pages.attach(http.server);
  if (!config.admin) return { http, admin: http };
  const admin: Http = closing('operator http', await createHttp(config, log), () =>
    closeWithin(admin.server, () => admin.close()),
  );
  return { http, admin };
}

/** Registers the routes of this process's roles. */
export async function registerRoutes(
  { config, log, now, startup }: Lifetime,
  { http, admin }: Servers,
  { ctx, delivery, postgres }: { ctx: Context; delivery: Delivery; postgres: Step },
): Promise<void> {
  const { roles } = config;
  const { brand } = ctx;
  for (const server of new Set([http, admin])) rejectUntil(postgres, server);
  if (roles.has('bidder')) {
    const warn = () => warnOfExchangeSettings(ctx.db, log, now());
    await startup.attempt('check the settings of exchanges', warn, [postgres]);
    await delivery.registerBidder(http);
  }
  if (roles.has('tracker')) delivery.registerTrackers(http);
  if (roles.has('tracker') || roles.has('api')) registerMedia(http, ctx);
  if (roles.has('api')) {
    await registerApi(http, admin, { ctx, delivery });
    for (const server of new Set([http, admin])) registerBrandImages(server, brand);
    registerWellKnown(http, { brand, config, now, passwordPage: '/profile?tab=sign-in' });
    if (admin !== http)
      registerWellKnown(admin, { brand, config, now, passwordPage: `${OPERATOR_CONSOLE}/account` });
  }
  const folder = roles.has('api') ? CONSOLE_FOLDER : null;
  await serveConsole(http, config, folder, { brand, except: admin === http ? undefined : OPERATOR_CONSOLE });
  if (admin === http) return;
  // The operator console calls the operator's API, which is on this port only, and shows the files under review.
  if (roles.has('api')) registerMedia(admin, ctx);
  await serveConsole(admin, config, folder, { brand, onlyAt: OPERATOR_CONSOLE });
}

/** The parts that serve requests from the tables. */
const NEED_TABLES = [CONSOLE_API, OPERATOR_API, MCP_PATH] as const;

/** Rejects calls of the APIs and of assistants at once until the tables exist, so that they do not wait for an unavailable database. */
function rejectUntil(postgres: Step, server: Http): void {
  server.addHook('onRequest', async ({ url }) => {
    if (!postgres.isDone() && NEED_TABLES.some((path) => url.startsWith(path))) throw new Unavailable();
  });
}
