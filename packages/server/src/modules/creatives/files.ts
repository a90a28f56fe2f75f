import { apiMessages } from '@bidwell/contract/messages';
import * as endpoints from '@bidwell/contract/endpoints/files';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Engines } from '../../engines.ts';
import { NotFound } from '../../platform/errors.ts';
import { actorOf } from '../../platform/http/auth.ts';
import { goneSignal } from '../../platform/http/gone-signal.ts';
import { route } from '../../platform/http/route.ts';
import type { Http } from '../../platform/http/server.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import { findOwned } from '../../platform/postgres/owned-store.ts';
import { rangeOf } from './byte-range.ts';
import { MRAID_STUB } from './mraid-stub.ts';
import { isPreview, previewAddress } from './preview-address.ts';
import type { FileRow } from './store.ts';
import { findCreativeFile, findPublicFile } from './store.ts';
import type { Thumbnails } from './thumbnails.ts';
import { createThumbnails } from './thumbnails.ts';

/** Query of a preview address; see {@link previewAddress}. */
const PreviewQuery = z.object({
  expires: z.coerce.number().int().positive().max(99_999_999_999).optional().catch(undefined),
  signature: z.string().max(100).optional().catch(undefined),
});

/** Cache lifetime of approvals: the longest that a review decision takes to apply to `/m/…`. */
const APPROVAL_CACHE_MS = 2000;

const PRIVATE = 'private, max-age=86400';
const PUBLIC = 'public, max-age=31536000, immutable';

/** Registers GET /file/{id} and /file/{id}.{ext}: the company's own files, for previews; `?size=thumb` for lists. */
export function registerFiles(http: Http, engines: Engines): void {
  const thumbnails = createThumbnails(engines);
  registerPreview(http, engines);
  route(http, endpoints.readFile, async (request, reply) => {
    const { file } = request.params;
    const row = asNamed(
      await findOwned(engines.db, 'files', actorOf(request).companyId, file.slice(0, 36)),
      file,
    );
    return request.query.size === 'thumb'
      ? sendThumbnail(thumbnails, request, reply, row)
      : sendFile(engines, request, reply, row, PRIVATE);
  });
}

/** Registers GET /file/{id}/preview: an address for frames and players, which send no access token. */
function registerPreview(http: Http, engines: Engines): void {
  route(http, endpoints.readPreview, async (request) => {
    const { file } = request.params;
    const row = asNamed(
      await findOwned(engines.db, 'files', actorOf(request).companyId, file.slice(0, 36)),
      file,
    );
    const { url, expiresAt } = previewAddress(engines.config, row, engines.now());
    return { data: { url, expires_at: expiresAt.toISOString() } };
  });
}

/**
 * Registers GET /m/{uuid}.{ext}: files of creatives for devices. Serves files of approved creatives, and any file to
 * a signed preview address. With an asset origin, only its host is served. The file of an address never changes.
 */
export function registerMedia(http: Http, engines: Engines): void {
  const { config } = engines;
  const rows = new TtlCache<FileRow | undefined>(APPROVAL_CACHE_MS, 20_000);
  const assetHost = config.assetOrigin === null ? null : new URL(config.assetOrigin).host;
  const schema = { params: endpoints.FileParams, querystring: PreviewQuery };
  // Playables load `mraid.js` from beside their page. On a device the app's container provides it.
  http.get('/m/mraid.js', async (request, reply) => {
    if (assetHost !== null && request.host !== assetHost) throw new NotFound('File');
    return reply
      .headers({
        'cache-control': 'public, max-age=3600',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      .type('text/javascript; charset=utf-8')
      .send(MRAID_STUB);
  });
  http.get('/m/:file', { schema }, async (request, reply) => {
    const { file } = request.params;
    if (assetHost !== null && request.host !== assetHost) throw new NotFound('File');
    const uuid = file.slice(0, 36).toLowerCase();
    const isPreviewed = isPreview(config, uuid, request.query, engines.now());
    const found = isPreviewed
      ? await findCreativeFile(engines.db, uuid)
      : await rows.get(uuid, () => findPublicFile(engines.db, uuid));
    const row = asNamed(found, file);
    void reply.headers({
      'cross-origin-resource-policy': 'cross-origin',
      // The markup that fetches a playable's page runs in the origin of the app that shows it.
      'access-control-allow-origin': '*',
    });
    return sendFile(engines, request, reply, row, isPreviewed ? PRIVATE : PUBLIC);
  });
}

/** Returns the file if the extension, when given, is the file's. Throws NotFound. */
function asNamed(row: FileRow | undefined, file: string): FileRow {
  const extension = file.slice(37).toLowerCase();
  if (!row || (extension !== '' && extension !== row.extension)) throw new NotFound('File');
  return row;
}

function headFor(reply: FastifyReply, row: FileRow, etag: string, cacheControl: string): FastifyReply {
  return reply.headers({
    etag,
    'cache-control': cacheControl,
    'x-content-type-options': 'nosniff',
    // Scripts in uploaded files run, if at all, in a sandbox with an opaque origin.
    'content-security-policy':
      row.extension === 'html'
        ? 'sandbox allow-scripts'
        : "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  });
}

async function sendThumbnail(
  thumbnails: Thumbnails,
  request: FastifyRequest,
  reply: FastifyReply,
  row: FileRow,
) {
  const small = await thumbnails.of(actorOf(request).companyId, row, goneSignal(reply));
  if (!small) throw new NotFound('File');
  const etag = `"${createHash('sha256').update(small).digest('hex').slice(0, 32)}"`;
  void headFor(reply, row, etag, PRIVATE);
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send();
  return reply.type('image/webp').send(small);
}

async function sendFile(
  engines: Engines,
  request: FastifyRequest,
  reply: FastifyReply,
  row: FileRow,
  cacheControl: string,
) {
  const { uuid, size_bytes: bytes } = row;
  if ((await engines.files.size(uuid)) !== bytes) throw new NotFound('File');
  const etag = `"${row.sha256.slice(0, 32)}"`;
  const { headers } = request;
  // `If-Range` names another version of the file: send the whole file (RFC 9110, section 13.1.5).
  const isOtherFile = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  const range = isOtherFile ? null : rangeOf(headers.range, bytes);
  if (isKnown(headers['if-none-match'], etag))
    return headFor(reply, row, etag, cacheControl).code(304).send();
  if (range === 'unsatisfiable')
    return reply
      .code(416)
      .header('content-range', `bytes */${bytes}`)
      .send({ data: apiMessages.fileSize(bytes) });
  void headFor(reply, row, etag, cacheControl).type(row.content_type).header('accept-ranges', 'bytes');
  // A stream, because for a HEAD of any other body Fastify would set that body's length.
  const content =
    request.method === 'HEAD' ? Readable.from([]) : engines.files.read(uuid, range ?? undefined);
  if (!range) return reply.header('content-length', bytes).send(content);
  return reply
    .code(206)
    .headers({
      'content-range': `bytes ${range.start}-${range.end}/${bytes}`,
      'content-length': range.end - range.start + 1,
      // Byte ranges refer to the uncompressed file.
      'content-encoding': 'identity',
    })
    .send(content);
}

/** Whether `If-None-Match` lists this etag. Compression by a proxy may have made it a weak one. */
function isKnown(header: string | undefined, etag: string): boolean {
  return header?.split(',').some((known) => known.trim().replace(/^W\//, '') === etag) ?? false;
}
