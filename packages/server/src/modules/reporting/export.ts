import type { EventsQuery, ExportQuery } from '@bidwell/contract/reports/schema';
import { reportMessages } from '@bidwell/contract/reports/messages';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { QueryTooLarge } from '../../platform/clickhouse/client.ts';
import { Invalid } from '../../platform/errors.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { csvLine, BYTE_ORDER_MARK } from './table-file.ts';
import { periodOf, rangeOf } from './buckets.ts';
import { streamEvents } from './query/event-store.ts';
import { exportSettings, exportQueueLimits } from './report-limits.ts';
import { openReportTable } from './report-table.ts';
import { API_TOKEN_LIMITS } from '@bidwell/contract/accounts/api-token';
import { PARQUET } from '@bidwell/contract/reports/endpoints';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Config } from '../../config/config.ts';
import { fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import type { Http } from '../../platform/http/server.ts';
import { type TokenRoute, tokenRoute } from './report-queue.ts';

/**
 * Level report as CSV (RFC 4180, UTF-8). One row for each combination of values, highest spend first; for each level
 * the value and its display name, then the metrics and the figures of the named in-app events. Money is in dollars with at most six decimals; metrics that
 * cannot be computed are empty. Breaks off beyond ten million rows. Throws Invalid for a wrong or too large query.
 */
export async function exportReport(ctx: Context, actor: Actor, query: ExportQuery): Promise<Export<string>> {
  requirePermission(actor, 'report.read');
  const { columns, batches } = await openReportTable(ctx, actor, query);
  async function* lines(): AsyncGenerator<string> {
    let text = csvLine(columns.map(({ name }) => name));
    for await (const rows of batches) {
      for (const row of rows) text += csvLine(row);
      yield text;
      text = '';
    }
    if (text) yield text;
  }
  return startExport(lines());
}

/** Exports all events of one day in the company's time zone; see {@link streamEvents}. Throws Invalid. */
export async function exportEvents(
  ctx: Context,
  actor: Actor,
  { date, format }: EventsQuery,
): Promise<Export<Uint8Array>> {
  requirePermission(actor, 'report.read');
  const range = await rangeOf(ctx, actor, { start_date: date, end_date: date });
  const limits = exportSettings(ctx.config);
  return startExport(streamEvents(ctx.clickhouse, actor.companyId, periodOf(range), format, limits));
}

/** The parts of an export, the first of which has been read. `return` ends it, whether or not it is iterated. */
export interface Export<Part> extends AsyncIterableIterator<Part> {
  return(): Promise<IteratorResult<Part>>;
}

/**
 * Reads the first part, so that a failure up to it gives an error response. Throws Invalid if the export is too
 * large.
 */
export async function startExport<Part>(parts: AsyncGenerator<Part>): Promise<Export<Part>> {
  let first: IteratorResult<Part> | null = await withinExportLimits(() => parts.next());
  const started: Export<Part> = {
    async next() {
      const part = first ?? (await parts.next());
      first = null;
      return part;
    },
    async return() {
      first = null;
      return parts.return(undefined);
    },
    [Symbol.asyncIterator]: () => started,
  };
  return started;
}

/** The result of a query of an export. Throws Invalid when it exceeds its limits. */
export async function withinExportLimits<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw error instanceof QueryTooLarge ? new Invalid([], reportMessages.exportTooLarge) : error;
  }
}

/** The fair queue of all exports. An export occupies its slot until the connection closes. */
export interface ExportQueue {
  /** Options of the routes that wait in the queue. */
  options: TokenRoute;
  /** Sends an export as the file `<name>.<format>` when it is the company's turn. */
  send(
    this: void,
    request: FastifyRequest,
    reply: FastifyReply,
    file: { name: string; format: 'csv' | 'parquet' },
    make: () => Promise<Export<string | Uint8Array>>,
  ): Promise<FastifyReply>;
}

/** Creates the queue of all exports of a process. `http` counts the calls of each API token. */
export function exportQueue(http: Http, config: Config): ExportQueue {
  const queue = fairQueue(exportQueueLimits(config), 'exports');
  return {
    options: tokenRoute(http, 'exports', API_TOKEN_LIMITS.exportsPerMinute),
    async send(request, reply, { name, format }, make) {
      const done = await queue.enter(actorOf(request).companyId, goneSignal(reply));
      // Also released when the connection closes before the first part is read.
      reply.raw.once('finish', done).once('close', done);
      const parts = await make();
      // Ends the query even if nothing was read.
      const end = () => void parts.return().catch(() => {});
      if (reply.raw.destroyed) end();
      else reply.raw.once('close', end);
      if (format === 'parquet') return sendFile(reply, PARQUET, `${name}.parquet`, parts);
      return sendFile(reply, 'text/csv; charset=utf-8', `${name}.csv`, marked(parts));
    },
  };
}

async function* marked<Part>(content: AsyncIterable<Part>): AsyncGenerator<Part | string> {
  yield BYTE_ORDER_MARK;
  yield* content;
}

/** An export is aborted when the client reads nothing for this long, because it occupies a slot of the queue. */
const STALL_MS = 60_000;

async function* readInTime<Part>(content: AsyncIterable<Part>, giveUp: () => void): AsyncGenerator<Part> {
  for await (const part of content) {
    const stalled = setTimeout(giveUp, STALL_MS);
    try {
      yield part;
    } finally {
      clearTimeout(stalled);
    }
  }
}

/** Streams a file that is generated while it is sent. On failure the response is cut off without an end. */
function sendFile(
  reply: FastifyReply,
  type: string,
  name: string,
  content: AsyncIterable<string | Uint8Array>,
): FastifyReply {
  const giveUp = () => stream.destroy(new Error('An export was not read in time'));
  const stream = Readable.from(readInTime(content, giveUp), { objectMode: false });
  return reply
    .headers({
      'content-type': type,
      'content-disposition': `attachment; filename="${name}"`,
      'cache-control': 'no-store',
    })
    .send(stream);
}
