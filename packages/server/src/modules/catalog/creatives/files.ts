import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import * as endpoints from '@bidwell/contract/creatives/file-endpoints';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import { NotFound } from '../../../platform/errors.ts';
import type { FileKey } from '../../../platform/files/file-store.ts';
import { actorOf } from '../../../platform/http/auth/auth.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { dataRoute } from '../../../platform/http/data-route.ts';
import { route } from '../../../platform/http/route.ts';
import type { Http } from '../../../platform/http/server.ts';
import { TtlCache } from '../../../platform/ttl-cache.ts';
import { MRAID_STUB } from './mraid-stub.ts';
import {
  type SizedCopies,
  createSizedCopies,
  type Thumbnails,
  createThumbnails,
} from './media/derived-images.ts';
import { type FileRow, findCreativeFile, findPublicFile, findAvatar } from './store.ts';
import type { Actor } from '../../../platform/actor.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { findOwned } from '../../../platform/postgres/stores/owned-store.ts';
import type { Config } from '../../../config/config.ts';

/** Query of a preview address; see {@link previewAddress}. */
const PreviewQuery = z.object({
  expires: z.coerce.number().int().positive().max(99_999_999_999).optional().catch(undefined),
  signature: z.string().max(100).optional().catch(undefined),
});

/** `{uuid}`, or `{uuid}.{width}x{height}` for a sized copy of an image, and `.{extension}`. */
const MEDIA = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\.(\d{2,4}x\d{2,4}))?(?:\.([a-z0-9]{1,5}))?$/;
const MediaParams = z.object({ file: z.string().max(100).toLowerCase().regex(MEDIA) });

/** Cache lifetime of approvals: the longest that a review decision takes to apply to `/m/…`. */
const APPROVAL_CACHE_MS = 2000;

const PRIVATE = 'private, max-age=86400';
const PUBLIC = 'public, max-age=31536000, immutable';

/** Registers GET /file/{id} and /file/{id}.{ext}: the company's own files, for previews; `?size=thumb` for lists. */
export function registerFiles(http: Http, ctx: Context): void {
  const thumbnails = createThumbnails(ctx);
  registerPreview(http, ctx);
  route(http, endpoints.readFile, async (request, reply) => {
    const row = await ownFile(ctx, actorOf(request), request.params.file);
    return request.query.size === 'thumb'
      ? sendThumbnail(thumbnails, request, reply, row)
      : sendFile(ctx, request, reply, wholeOf(row), PRIVATE);
  });
}

/** Registers GET /file/{id}/preview: an address for frames and players, which send no access token. */
function registerPreview(http: Http, ctx: Context): void {
  dataRoute(http, ctx, endpoints.readPreview, async (_, actor, { file }) => ownPreview(ctx, actor, file));
}

/**
 * Registers GET /m/{uuid}.{ext} and /m/{uuid}.{width}x{height}.{ext}: files of creatives for devices, and the sized copies of
 * native images. Serves files and copies of approved creatives, and any file, but no copy, to a signed preview
 * address: only copies of reviewed images are made on request. With an asset origin, only its host is served. The file of an address never changes.
 */
export function registerMedia(http: Http, ctx: Context): void {
  const { config } = ctx;
  const rows = new TtlCache<FileRow | undefined>(APPROVAL_CACHE_MS, 20_000);
  const copies = createSizedCopies(ctx);
  const assetHost = config.assetOrigin === null ? null : new URL(config.assetOrigin).host;
  const schema = { params: MediaParams, querystring: PreviewQuery };
  // Playables load `mraid.js` from the same directory as their page. On a device the app's container provides it.
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
    const [, uuid = '', copy, extension] = MEDIA.exec(file)!;
    const isPreviewed = copy === undefined && isPreview(config, uuid, request.query, ctx.now());
    const found = isPreviewed
      ? await findCreativeFile(ctx.db, uuid)
      : await rows.get(uuid, () => findPublicFile(ctx.db, uuid));
    const row = asNamed(found, extension);
    const served = copy === undefined ? wholeOf(row) : await copyOf(copies, row, copy, reply);
    void reply.headers({
      'cross-origin-resource-policy': 'cross-origin',
      // The markup that fetches a playable's page runs in the origin of the app that shows it.
      'access-control-allow-origin': '*',
    });
    return sendFile(ctx, request, reply, served, isPreviewed ? PRIVATE : PUBLIC);
  });
}

/** A stored file as it is sent. */
interface ServedFile {
  key: FileKey;
  bytes: number;
  etag: string;
  type: Pick<FileRow, 'extension' | 'content_type'>;
}

function wholeOf(row: FileRow): ServedFile {
  return { key: row.uuid, bytes: row.size_bytes, etag: `"${row.sha256.slice(0, 32)}"`, type: row };
}

/** The sized copy of an image with this name. Throws NotFound. */
async function copyOf(
  copies: SizedCopies,
  row: FileRow,
  name: string,
  reply: FastifyReply,
): Promise<ServedFile> {
  const copy = await copies.of(row, name, goneSignal(reply));
  if (!copy) throw new NotFound('File');
  return { ...copy, etag: `"${row.sha256.slice(0, 32)}-${name}"`, type: row };
}

function headFor(
  reply: FastifyReply,
  row: ServedFile['type'],
  etag: string,
  cacheControl: string,
): FastifyReply {
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

/** The content of a stored file. Throws NotFound if it was deleted since its size was read. */
async function* contentOf(
  { files }: Context,
  reply: FastifyReply,
  key: FileKey,
  range?: { start: number; end: number },
): AsyncGenerator<Buffer> {
  try {
    yield* files.read(key, range);
  } catch (error) {
    // No cache keeps the error as it would keep the file.
    void reply.removeHeader('cache-control');
    throw (await files.size(key)) === null ? new NotFound('File') : error;
  }
}

async function sendFile(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { key, bytes, etag, type }: ServedFile,
  cacheControl: string,
) {
  if ((await ctx.files.size(key)) !== bytes) throw new NotFound('File');
  const { headers } = request;
  // `If-Range` names another version of the file: send the whole file (RFC 9110, section 13.1.5).
  const isOtherFile = headers['if-range'] !== undefined && headers['if-range'] !== etag;
  const range = isOtherFile ? null : rangeOf(headers.range, bytes);
  if (isKnown(headers['if-none-match'], etag))
    return headFor(reply, type, etag, cacheControl).code(304).send();
  if (range === 'unsatisfiable')
    return reply
      .code(416)
      .header('content-range', `bytes */${bytes}`)
      .send({ data: creativeApiMessages.fileSize(bytes) });
  void headFor(reply, type, etag, cacheControl).type(type.content_type).header('accept-ranges', 'bytes');
  // A stream, because for a HEAD of any other body Fastify would set that body's length.
  const content = Readable.from(
    request.method === 'HEAD' ? [] : contentOf(ctx, reply, key, range ?? undefined),
    {
      objectMode: false,
    },
  );
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

/** A file of the company, or the person's own picture, by its name: `{uuid}`, or `{uuid}.{extension}`. Throws NotFound. */
async function ownFile(ctx: Context, actor: Actor, name: string): Promise<FileRow> {
  requirePermission(actor, 'file.read');
  const uuid = name.slice(0, 36);
  const row =
    (await findOwned(ctx.db, 'files', actor.companyId, uuid)) ?? (await ownPicture(ctx, actor, uuid));
  return asNamed(row, name.slice(37).toLowerCase());
}

async function ownPicture(
  { db }: Context,
  { role, userId }: Pick<Actor, 'role' | 'userId'>,
  uuid: string,
): Promise<FileRow | undefined> {
  return role === 'person' && userId !== null ? findAvatar(db, userId, uuid) : undefined;
}

/** An address of the same file for frames and players, which send no access token. Throws NotFound. */
async function ownPreview(
  ctx: Context,
  actor: Actor,
  name: string,
): Promise<{ url: string; expires_at: string }> {
  requirePermission(actor, 'file.read');
  const { url, expiresAt } = previewAddress(ctx.config, await ownFile(ctx, actor, name), ctx.now());
  return { url, expires_at: expiresAt.toISOString() };
}

/** Returns the file if the extension, when given, is the file's. Throws NotFound. */
function asNamed(row: FileRow | undefined, extension = ''): FileRow {
  if (!row || (extension !== '' && extension !== row.extension)) throw new NotFound('File');
  return row;
}

/** Lifetime of a preview address. */
const PREVIEW_MS = 3_600_000;

type Addressing = Pick<Config, 'signingSecret' | 'assetOrigin'>;

/**
 * Signed address of a file for viewing before approval, valid for an hour. On the asset origin where there is one,
 * otherwise a path on the server's own host.
 */
export function previewAddress(
  config: Addressing,
  file: { uuid: string; extension: string },
  now: Date,
): { url: string; expiresAt: Date } {
  // Rounded up to a minute, so that repeated requests get the same address and the browser's cache is used.
  const expires = Math.ceil((now.getTime() + PREVIEW_MS) / 60_000) * 60;
  const query = `expires=${expires}&signature=${signatureOf(config, file.uuid, expires)}`;
  return {
    url: `${config.assetOrigin ?? ''}/m/${file.uuid}.${file.extension}?${query}`,
    expiresAt: new Date(expires * 1000),
  };
}

/** Whether the query is from a {@link previewAddress} of this file that has not expired. */
function isPreview(
  config: Addressing,
  uuid: string,
  { expires, signature }: { expires?: number | undefined; signature?: string | undefined },
  now: Date,
): boolean {
  if (expires === undefined || signature === undefined || expires * 1000 <= now.getTime()) return false;
  const expected = Buffer.from(signatureOf(config, uuid, expires));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function signatureOf({ signingSecret }: Addressing, uuid: string, expires: number): string {
  return createHmac('sha256', signingSecret).update(`preview\n${uuid}\n${expires}`).digest('base64url');
}

/** A part of a file. Both ends are inclusive. */
interface ByteRange {
  start: number;
  end: number;
}

/**
 * Parses a `Range` header (RFC 9110, section 14) for a file of `bytes` bytes. Null if the whole file is to be sent:
 * no range, several ranges, or a malformed one. `unsatisfiable` if the file has no bytes in the range.
 */
function rangeOf(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return null;
  if (from === '') {
    const length = Math.min(Number(to), bytes);
    return length === 0 ? 'unsatisfiable' : { start: bytes - length, end: bytes - 1 };
  }
  const start = Number(from);
  if (to !== '' && Number(to) < start) return null;
  return start >= bytes
    ? 'unsatisfiable'
    : { start, end: to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}
