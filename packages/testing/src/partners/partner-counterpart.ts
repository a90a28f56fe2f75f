import { type IncomingMessage, type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { responseToLink } from '@bidwell/contract/measurement/partners/link-response';
import { z } from 'zod';
import { bodyOf, sendJson } from '../counterpart-http.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** How the partners respond: as usual, not at all, after a while, or with a status. */
export type PartnerMood =
  | 'usual'
  | 'silent'
  | { slowMs: number }
  | { status: number; retryAfterSeconds?: number };

/** A row of costs as AppsFlyer stores it, by the keys that it tells rows apart by. */
export interface StoredCost {
  appId: string;
  date: string;
  campaignId: string;
  adsetId: string;
  adId: string;
  siteId: string;
  geo: string;
  spendMicros: number;
}

/** A postback that a partner accepted. */
export interface StoredPostback {
  /** The partner's host. */
  host: string;
  body: Buffer;
  fields: Readonly<Record<string, unknown>>;
}

/** A click or a view that reached a partner by its link. */
export interface StoredTouch {
  host: string;
  kind: 'click' | 'view';
  query: Readonly<Record<string, string>>;
}

/** Measurement partners in one server, which gets their hosts as the first part of the path. */
export interface PartnerCounterpart {
  /** For the setting PARTNER_STAND_IN. */
  origin: string;
  /** The apps for which AppsFlyer takes costs, with the time zone of their days; the token that it takes. */
  appsFlyer: { apps: { id: string; timeZone: string }[]; token: string; mediaSource: string };
  /** The page in a store to which links lead that do not name their app. */
  store: string;
  mood: PartnerMood;
  /** Questions about an upload that get the response that it is not ready yet. */
  pendingChecks: number;
  /** Fails the next upload after it was stored: its response does not arrive. */
  cutNextResponse: boolean;
  /** Each request so far, as `METHOD /host/path`. */
  requests: string[];
  costs(): StoredCost[];
  postbacks(): StoredPostback[];
  touches(): StoredTouch[];
  close(): Promise<void>;
}

/** A transparent image of one pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const BODY_BYTES_MAX = 1024 * 1024;
/** A demonstration runs for months. */
const REQUESTS_MAX = 10_000;
const MONTHS_BACK_MS = 92 * 86_400_000;

/** InCost's row, as the OpenAPI document of AppsFlyer has it. */
const CostRow = z
  .strictObject({
    date: z.string().regex(/^20\d{2}-(0[1-9]|1[012])-(0[1-9]|[12]\d|3[01])$/),
    app_id: z.string().max(250),
    media_source: z.string().min(1).max(50),
    campaign_id: z.string().min(1).max(24),
    campaign_name: z.string().max(100),
    adset_id: z.string().max(24).optional(),
    adset_name: z.string().max(100).optional(),
    ad_id: z.string().max(24).optional(),
    ad_name: z.string().max(100).optional(),
    site_id: z.string().max(24).optional(),
    geo: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .optional(),
    currency: z.string().regex(/^[A-Z]{3}$/),
    spend: z
      .number()
      .min(0)
      .refine((spend) => /^\d+(\.\d{1,5})?$/.test(String(spend))),
  })
  .refine(({ adset_id, adset_name }) => adset_name === undefined || adset_id !== undefined)
  .refine(({ ad_id, ad_name }) => ad_name === undefined || ad_id !== undefined);

/** The fields that partners need of a postback of SKAdNetwork. */
const Postback = z.looseObject({
  version: z.string(),
  'ad-network-id': z.string(),
  'transaction-id': z.string(),
  'app-id': z.number().int(),
  'attribution-signature': z.string(),
});

/** Addresses to which networks send copies of postbacks, where the partners publish them. */
const POSTBACK_PATHS: readonly RegExp[] = [
  /^\/skadpostbacks\.appsflyer\.com\/api\/postbacks$/,
  /^\/skadnet-postback\.yandex\.net\/postback$/,
  /^\/api2\.branch\.io\/v1\/skadnetwork$/,
  /^\/[\w-]+\.adsmeasurement\.com\/v1\/skad\/postback$/,
  // Partners that give each network an address.
  /^\/[\w.-]+\/given\/[\w/-]*$/,
];

/** Starts the measurement partners, at a port of this machine: 0 for any. `now` decides which days are too old. */
export async function startPartnerCounterpart({
  port = 0,
  now = () => new Date(),
  others = null,
}: {
  port?: number;
  now?: () => Date;
  /** Servers of other kinds behind the same address, by their hosts. */
  others?: {
    hosts: ReadonlySet<string>;
    handle: (request: IncomingMessage, response: ServerResponse) => void;
  } | null;
} = {}): Promise<PartnerCounterpart> {
  const costs = new Map<string, StoredCost>();
  const postbacks: StoredPostback[] = [];
  const touches: StoredTouch[] = [];
  const jobs = new Map<string, { appId: string; checks: number; error: [string, string] | null }>();
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://partner.test');
    counterpart.requests.push(`${request.method ?? ''} ${url.pathname}`);
    if (counterpart.requests.length > REQUESTS_MAX) counterpart.requests.shift();
    const body = await bodyOf(request, 2 * BODY_BYTES_MAX);
    const { mood } = counterpart;
    if (mood === 'silent') return;
    if (typeof mood === 'object' && 'status' in mood) {
      if (mood.retryAfterSeconds !== undefined) response.setHeader('retry-after', mood.retryAfterSeconds);
      return sendJson(response, mood.status, { error: { error_message: 'Not now' } });
    }
    if (typeof mood === 'object') await new Promise((next) => setTimeout(next, mood.slowMs));
    if (url.pathname.startsWith('/hq1.appsflyer.com/')) return ofAppsFlyer(request, response, { url, body });
    if (POSTBACK_PATHS.some((path) => path.test(url.pathname))) return takePostback(response, url, body);
    if (request.method === 'GET' && takeLink(response, url)) return;
    sendJson(response, 404, 'not-found');
  };

  /** Takes a click or a view as the partner of its host does. False for other addresses. */
  const takeLink = (response: ServerResponse, { pathname, search, searchParams }: URL): boolean => {
    const [, host = '', ...path] = pathname.split('/');
    const address = `https://${host}/${path.join('/')}${search}`;
    const documented = canParseUrl(address) ? responseToLink(new URL(address), counterpart.store) : null;
    if (!documented) return false;
    const { kind, status, location } = documented;
    touches.push({ host, kind, query: Object.fromEntries(searchParams) });
    if (touches.length > REQUESTS_MAX) touches.shift();
    if (kind === 'view') response.writeHead(status, { 'content-type': 'image/gif' }).end(PIXEL);
    else response.writeHead(status, location === null ? {} : { location }).end();
    return true;
  };

  const ofAppsFlyer = (
    { method, headers }: IncomingMessage,
    response: ServerResponse,
    { url, body }: { url: URL; body: Buffer },
  ): void => {
    const { apps, token } = counterpart.appsFlyer;
    if (headers.authorization !== `Bearer ${token}`)
      return sendJson(response, 401, { error: 'Unauthorized' });
    const path = url.pathname.replace('/hq1.appsflyer.com/api/', '');
    if (method === 'GET' && path === 'mng/apps') return listApps(response, url);
    const [, kind, id = '', job = ''] =
      /^incost-(uploader|jobstatus)\/v1\/data\/app\/([^/]+)(?:\/job\/([^/]+))?$/.exec(path) ?? [];
    const appId = decodeURIComponent(id);
    if (!kind) return sendJson(response, 404, 'not-found');
    if (!apps.some((app) => app.id === appId)) return sendJson(response, 403, { error: 'Forbidden' });
    if (kind === 'jobstatus') return sayJob(response, appId, decodeURIComponent(job));
    return takeCosts(response, appId, body);
  };

  const listApps = (response: ServerResponse, url: URL): void => {
    const offset = Number(url.searchParams.get('offset') ?? 0);
    const limit = Math.min(Number(url.searchParams.get('limit') ?? 1000), 1000);
    const { apps } = counterpart.appsFlyer;
    const more = offset + limit < apps.length;
    const next = `https://hq1.appsflyer.com/api/mng/apps?capabilities=cost&limit=${limit}&offset=${offset + limit}`;
    sendJson(response, 200, {
      data: apps.slice(offset, offset + limit).map(({ id, timeZone }) => ({
        id,
        type: 'app',
        attributes: { name: id, time_zone: timeZone, currency: 'USD' },
      })),
      meta: { total_items: apps.length },
      links: more ? { next } : {},
    });
  };

  const takeCosts = (response: ServerResponse, appId: string, body: Buffer): void => {
    if (body.length > BODY_BYTES_MAX) return sendJson(response, 413, { error: 'Payload too large' });
    const rows = z.array(CostRow).min(1).safeParse(jsonOf(body));
    if (!rows.success || rows.data.some((row) => row.app_id !== appId))
      return sendJson(response, 422, fault('ic416', 'Incorrect JSON format. Verify and resubmit.'));
    if (rows.data.some(({ media_source }) => media_source !== counterpart.appsFlyer.mediaSource))
      return sendJson(response, 415, fault('ic213', 'media_source was not found. Verify and resubmit.'));
    const oldest = new Date(now().getTime() - MONTHS_BACK_MS).toISOString().slice(0, 10);
    const isOld = rows.data.some(({ date }) => date < oldest);
    if (!isOld)
      for (const row of rows.data) {
        const stored: StoredCost = {
          appId,
          date: row.date,
          campaignId: row.campaign_id,
          adsetId: row.adset_id ?? '',
          adId: row.ad_id ?? '',
          siteId: row.site_id ?? '',
          geo: row.geo ?? '',
          spendMicros: Math.round(row.spend * 1_000_000),
        };
        const { spendMicros: _spend, ...key } = stored;
        costs.set(JSON.stringify(key), stored);
      }
    const job = `job-${jobs.size + 1}`;
    jobs.set(job, {
      appId,
      checks: 0,
      error: isOld
        ? ['ic232', 'Request included data older than 3 months. Only 3 months back are allowed.']
        : null,
    });
    if (counterpart.cutNextResponse) {
      counterpart.cutNextResponse = false;
      response.destroy();
      return;
    }
    sendJson(response, 200, { job_id: job });
  };

  const sayJob = (response: ServerResponse, appId: string, id: string): void => {
    const job = jobs.get(id);
    if (!job)
      return sendJson(
        response,
        422,
        fault('ic224', 'General error occurred. Retry invoking the API in 10 minutes.'),
      );
    if (job.appId !== appId)
      return sendJson(
        response,
        401,
        fault('ic415', 'Job ID does not match to the app ID sent in the request.'),
      );
    job.checks += 1;
    if (job.checks <= counterpart.pendingChecks)
      return sendJson(response, 200, { app_id: appId, status: 'Processing' });
    if (job.error)
      return sendJson(response, 200, { app_id: appId, status: 'Validation error', ...fault(...job.error) });
    sendJson(response, 200, {
      app_id: appId,
      status: 'Applied',
      matched_records_percentage: '97.50',
      agency: '',
    });
  };

  const takePostback = (response: ServerResponse, url: URL, body: Buffer): void => {
    const json = jsonOf(body);
    const isJws = typeof json === 'object' && json !== null && 'jws-string' in json;
    if (!isJws && !Postback.safeParse(json).success) return sendJson(response, 400, 'Bad request');
    const [, host = ''] = url.pathname.split('/');
    postbacks.push({ host, body, fields: json as Record<string, unknown> });
    sendJson(response, 200, { ok: true });
  };

  const server: Server = createServer((request, response) => {
    const [, host = ''] = (request.url ?? '/').split('/');
    if (others?.hosts.has(host)) return others.handle(request, response);
    respond(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  // The process may end while it is open.
  server.unref();
  const counterpart: PartnerCounterpart = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    appsFlyer: { apps: [], token: 'appsflyer-token', mediaSource: 'bidwell_int' },
    store: 'https://play.google.com/store/apps/details?id=com.example',
    mood: 'usual',
    pendingChecks: 0,
    cutNextResponse: false,
    requests: [],
    costs: () => [...costs.values()],
    postbacks: () => [...postbacks],
    touches: () => [...touches],
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return counterpart;
}

const fault = (code: string, message: string) => ({ error: { af_error_code: code, error_message: message } });

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
