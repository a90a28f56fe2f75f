import {
  BundleQuery,
  BundleReport,
  EventsQuery,
  ExportQuery,
  HighlightQuery,
  Highlights,
  LevelQuery,
  LevelReport,
} from '@bidwell/contract/analytics';
import { API_TOKEN_LIMITS } from '@bidwell/contract/api-token';
import { Failure, envelope } from '@bidwell/contract/wire';
import rateLimit from '@fastify/rate-limit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { limitTo } from '../../platform/http/rate-limit.ts';
import type { Http } from '../../platform/http/server.ts';
import { exportEvents, exportReport } from './export.ts';
import { levelReport } from './level-report.ts';
import { bundleReport, highlights } from './service.ts';

/** The calls on reports (§7). */
export async function registerAnalytics(http: Http, engines: Engines): Promise<void> {
  await http.register(rateLimit, { global: false });
  const { reportsPerMinute, exportsPerMinute } = API_TOKEN_LIMITS;
  const reading = forScripts(http, 'reports', reportsPerMinute);
  const exporting = forScripts(http, 'exports', exportsPerMinute);
  http.get(
    '/v2/analytics/highlight',
    {
      ...reading,
      schema: {
        summary: 'Read the highlights',
        querystring: HighlightQuery,
        response: { 200: envelope(Highlights), ...limited },
      },
    },
    async (request) => ({ data: await highlights(engines, actorOf(request), request.query) }),
  );

  http.post(
    '/analytics/bundle',
    {
      ...reading,
      schema: {
        summary: 'Report by publisher bundle',
        body: BundleQuery,
        response: { 200: envelope(BundleReport), ...limited },
      },
    },
    async (request) => ({ data: await bundleReport(engines, actorOf(request), request.body) }),
  );

  http.post(
    '/analytics/level',
    {
      ...reading,
      schema: {
        summary: 'Report by levels',
        body: LevelQuery,
        response: { 200: envelope(LevelReport), ...limited },
      },
    },
    async (request) => ({ data: await levelReport(engines, actorOf(request), request.body) }),
  );

  const file = (type: string) => ({ content: { [type]: { schema: z.string() } } });
  http.post(
    '/analytics/export',
    {
      ...exporting,
      schema: {
        summary: 'Export a level report as CSV, however many rows it has',
        body: ExportQuery,
        response: { 200: file('text/csv'), ...limited },
      },
    },
    async (request, reply) => {
      const { start_date, end_date } = request.body;
      const lines = await exportReport(engines, actorOf(request), request.body);
      return sendFile(reply, 'text/csv; charset=utf-8', `report-${start_date}-${end_date}.csv`, lines);
    },
  );

  http.get(
    '/analytics/events',
    {
      ...exporting,
      schema: {
        summary: 'Export every event of one day as CSV or Parquet',
        querystring: EventsQuery,
        response: {
          200: { content: { ...file('text/csv').content, ...file(PARQUET).content } },
          ...limited,
        },
      },
    },
    async (request, reply) => {
      const { date, format } = request.query;
      const bytes = await exportEvents(engines, actorOf(request), request.query);
      const type = format === 'csv' ? 'text/csv; charset=utf-8' : PARQUET;
      return sendFile(reply, type, `events-${date}.${format}`, bytes);
    },
  );
}

const limited = { 429: Failure } as const;

/** What lets API tokens call a route, each so many times a minute. People are not counted. */
function forScripts(http: Http, what: string, max: number) {
  const limit = limitTo(
    http,
    { max, timeWindow: 60_000, keyGenerator: (request) => `${what}:${actorOf(request).sessionId}` },
    `An API token may ask for ${max} ${what} a minute. Please wait a moment.`,
  );
  return {
    config: { admits: 'api-token' as const, whileSuspended: true },
    onRequest: async (request: FastifyRequest) => {
      if (actorOf(request).apiToken) await limit(request);
    },
  };
}

const PARQUET = 'application/vnd.apache.parquet';

/** Sends what is made while it is sent. A failure on the way cuts the answer off: it has no end. */
function sendFile(
  reply: FastifyReply,
  type: string,
  name: string,
  content: AsyncIterable<string | Uint8Array>,
): FastifyReply {
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(Readable.from(content, { objectMode: false }));
}
