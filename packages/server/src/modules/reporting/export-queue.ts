import { API_TOKEN_LIMITS } from '@bidwell/contract/accounts/api-token';
import { PARQUET } from '@bidwell/contract/reports/endpoints';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import type { Config } from '../../config/config.ts';
import { fairQueue } from '../../platform/concurrency/fair-queue.ts';
import { actorOf } from '../../platform/http/auth/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import type { Http } from '../../platform/http/server.ts';
import { BYTE_ORDER_MARK } from './csv-line.ts';
import type { Export } from './export.ts';
import { exportQueueLimits } from './report-limits.ts';
import { type TokenRoute, tokenRoute } from './report-queue.ts';

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

/** An export is aborted when the client reads nothing for this long, because it occupies a slot of the queue. */
const STALL_MS = 60_000;

async function* marked<Part>(content: AsyncIterable<Part>): AsyncGenerator<Part | string> {
  yield BYTE_ORDER_MARK;
  yield* content;
}

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
