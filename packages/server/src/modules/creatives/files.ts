import { Failure } from '@bidwell/contract/wire';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth.ts';
import type { Http } from '../../platform/http/server.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import type { FileRow } from './store.ts';
import { findFile, findPublicFile } from './store.ts';

/** `{uuid}` or `{uuid}.{extension}`. */
const FileParams = z.object({
  file: z.string().regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(\.[a-z0-9]{1,5})?$/i),
});

/** GET /file/{id} and /file/{id}.{ext}: the company's own files, for previews. */
export function registerFiles(http: Http, engines: Engines): void {
  const whole = { content: { '*/*': { schema: z.file() } } };
  const response = { 200: whole, 206: whole, 304: z.null(), 416: Failure };
  http.get(
    '/file/:file',
    { schema: { summary: 'Read a file', params: FileParams, response } },
    async (request, reply) => {
      const uuid = request.params.file.slice(0, 36);
      const row = await findFile(engines.db, actorOf(request).companyId, uuid);
      return sendFile(engines, request, reply, row, 'private, max-age=86400');
    },
  );
}

/** GET /m/{uuid}.{ext}: the files of creatives, as devices load them. A file never changes under its name. */
export function registerMedia(http: Http, engines: Engines): void {
  const rows = new TtlCache<FileRow | undefined>(60_000, 20_000);
  http.get('/m/:file', { schema: { params: FileParams } }, async (request, reply) => {
    const uuid = request.params.file.slice(0, 36);
    const row = await rows.get(uuid, () => findPublicFile(engines.db, uuid));
    void reply.header('cross-origin-resource-policy', 'cross-origin');
    return sendFile(engines, request, reply, row, 'public, max-age=31536000, immutable');
  });
}

async function sendFile(
  engines: Engines,
  request: FastifyRequest,
  reply: FastifyReply,
  row: FileRow | undefined,
  cacheControl: string,
) {
  if (!row) throw new NotFound('File');
  const etag = `"${row.sha256.slice(0, 32)}"`;
  void reply.headers({
    etag,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    // What an advertiser uploaded runs in a world of its own, if it runs at all.
    'content-security-policy':
      row.extension === 'html'
        ? 'sandbox allow-scripts'
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  if ((await engines.files.size(row.uuid)) === null) throw new NotFound('File');
  const range = rangeOf(request.headers.range, row.size_bytes);
  void reply.type(row.content_type).header('accept-ranges', 'bytes');
  if (!range) return reply.header('content-length', row.size_bytes).send(engines.files.read(row.uuid));
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${range.start}-${range.end}/${row.size_bytes}`,
      'content-length': range.end - range.start + 1,
      // Bytes are counted in the file as it is: a part of it is not compressed.
      'content-encoding': 'identity',
    })
    .send(engines.files.read(row.uuid, range));
}

/** True when the client names this file among those it has; compression on the way may have weakened the name. */
function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((known) => known.trim().replace(/^W\//, '') === etag) ?? false;
}

/** The one byte range that a request asks for; null for none, several, or one that does not fit: then all is sent. */
function rangeOf(header: string | undefined, bytes: number): { start: number; end: number } | null {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  const start = from === '' ? Math.max(0, bytes - Number(to)) : Number(from);
  const end = from === '' || to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1);
  return start <= end ? { start, end } : null;
}
