import { fileMessages } from '@bidwell/contract/creatives/files';
import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import type { z } from 'zod';
import type { Context } from '../../../context.ts';
import { Invalid, Malformed, TooLarge, UnsupportedType } from '../../../platform/errors.ts';
import { writeFileFrom } from '../../../platform/files/file-store.ts';
import { bytesMaxOf } from './media/inspect.ts';

/** A received file, on disk under a generated name. */
export interface UploadedFile {
  field: string;
  path: string;
  bytes: number;
  sha256: string;
}

/** A multipart form whose files are on disk. */
export interface UploadedForm {
  values: Record<string, string>;
  files: UploadedFile[];
  /** Aborts when the caller has left. */
  signal: AbortSignal;
}

const uploadsOf = (dataDir: string): string => join(dataDir, 'uploads');

/** Removes the files of forms that a killed process was receiving. */
export async function removeUploads(dataDir: string): Promise<void> {
  await rm(uploadsOf(dataDir), { recursive: true, force: true });
}

/**
 * Reads a multipart form, streaming its files to disk, and calls `work` with it; the files are deleted afterwards.
 * Accepts parts in any order. `signal` aborts when the caller has left. Throws Malformed, TooLarge, UnsupportedType.
 */
export async function withForm<T>(
  ctx: Context,
  request: FastifyRequest,
  signal: AbortSignal,
  work: (form: UploadedForm) => Promise<T>,
): Promise<T> {
  if (!request.isMultipart()) throw new UnsupportedType(creativeApiMessages.multipart);
  const folder = join(uploadsOf(ctx.config.dataDir), randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    return await work({ ...(await receive(request, folder)), signal });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The parts of a form that idempotency keys compare: its texts and the hashes of its files. */
export function identityOf({ values, files }: UploadedForm): object {
  return { values, files: files.map(({ field, sha256 }) => ({ field, sha256 })) };
}

/** Parses the texts of a form by a schema. Throws Invalid. */
export function parseTexts<T>(schema: z.ZodType<T>, values: unknown): T {
  const parsed = schema.safeParse(values);
  if (parsed.success) return parsed.data;
  throw new Invalid(
    parsed.error.issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })),
  );
}

async function receive(request: FastifyRequest, folder: string): Promise<Omit<UploadedForm, 'signal'>> {
  const values: Record<string, string> = {};
  const files: UploadedFile[] = [];
  const parts = readable(() => request.parts());
  for (;;) {
    const { value: part, done } = await parts.next().catch(rethrowUnreadable);
    if (done) return { values, files };
    if (part.type === 'file') files.push(await save(part, join(folder, String(files.length))));
    else values[part.fieldname] = textOf(part.value);
  }
}

function textOf(value: unknown): string {
  const text = String(value);
  if (text.includes('\0')) throw new Malformed(apiMessages.nulCharacter);
  return text;
}

async function save(part: MultipartFile, path: string): Promise<UploadedFile> {
  const field = part.fieldname;
  const bytesMax = Object.hasOwn(bytesMaxOf, field)
    ? bytesMaxOf[field as keyof typeof bytesMaxOf]
    : bytesMaxOf.banner;
  const name = truncate((part.filename as string | undefined) ?? field, 100);
  const tooLarge = new TooLarge(fileMessages.tooLarge(name, bytesMax));
  const hash = createHash('sha256');
  let bytes = 0;
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      done(bytes > bytesMax ? tooLarge : null, chunk);
    },
  });
  // The stream of a short form may have failed before this listener is added.
  let unreadable: unknown = part.file.errored;
  part.file.on('error', (error: unknown) => (unreadable = error));
  try {
    await writeFileFrom(path, [part.file, meter]);
  } catch (error) {
    // Its end is not read, so the parser reports the same file as cut short.
    if (bytes > bytesMax) throw tooLarge;
    if (error === unreadable) rethrowUnreadable(error);
    throw error;
  }
  return { field, path, bytes, sha256: hash.digest('hex') };
}

function readable<T>(start: () => T): T {
  try {
    return start();
  } catch (error) {
    return rethrowUnreadable(error);
  }
}

/** Throws parser errors as client errors: TooLarge, otherwise Malformed. */
function rethrowUnreadable(error: unknown): never {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 413)
    throw new TooLarge(creativeApiMessages.formTooLarge);
  throw new Malformed(creativeApiMessages.formUnreadable);
}
