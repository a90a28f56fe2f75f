import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { limits } from '@bidwell/contract/lib/limits';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import { type ImportFault, ImportFailed, type ImportTask, importIds } from '../../../delivery/public.ts';
import { digestOf } from '../../../platform/files/digest.ts';
import { writeFileFrom } from '../../../platform/files/file-store.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import type { ImportReport, StoredPart } from '../../../platform/postgres/audience-tables.ts';
import {
  type OwnedRow,
  findOwned,
  insertOwned,
  lockOwned,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notifyOfAudience } from './import-queue.ts';
import { type ImportRow, setImport } from './store.ts';

/** How long a claim of an import lasts without a sign of its process. */
export const CLAIM_MS = 60_000;
const EXTEND_EVERY_MS = 10_000;
/** Tries of an import whose process ended. */
const ATTEMPTS_MAX = 3;

/** An import that failed for a reason that a user can see to. */
class SourceFailed extends Error {}

type Audience = OwnedRow<'audiences'>;

/**
 * Runs an import that this process has claimed: builds the next file of the audience next to the present one, and swaps them in one
 * transaction. Whatever fails, the audience stays as it is.
 */
export async function runImport(ctx: Context, row: ImportRow, stopping: AbortSignal): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  if (row.attempts > ATTEMPTS_MAX) return fail(ctx, row, audienceApiMessages.interrupted);
  const folder = join(ctx.config.dataDir, 'uploads', randomUUID());
  const extending = setInterval(() => void extend(ctx, row).catch(() => {}), EXTEND_EVERY_MS);
  try {
    await mkdir(folder, { recursive: true });
    const audience = await findOwned(ctx.db, 'audiences', companyId, uuid);
    if (!audience) return;
    await build(ctx, row, { audience, folder, stopping });
  } catch (error) {
    if (stopping.aborted) {
      // The next process begins it again at once.
      await setImport(ctx.db, row.uuid, { claimed_until: ctx.now() }).catch(() => {});
      throw error;
    }
    if (error instanceof ImportFailed) return await fail(ctx, row, sentenceOf(error.fault), error.report);
    if (error instanceof SourceFailed) return await fail(ctx, row, error.message);
    throw error;
  } finally {
    clearInterval(extending);
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(
  ctx: Context,
  row: ImportRow,
  { audience, folder, stopping }: { audience: Audience; folder: string; stopping: AbortSignal },
): Promise<void> {
  const [input, previous, output] = ['input', 'previous', 'output'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await gather(ctx, row, input, stopping);
  const hasPrevious = row.mode !== 'replace' && audience.file_uuid !== null;
  if (hasPrevious) await writeFileFrom(previous, [ctx.files.read(audience.file_uuid!)]);
  const task: ImportTask = {
    input,
    isDigests: row.source === 'rule',
    previous: hasPrevious ? previous : null,
    output,
    mode: row.mode,
    form: audience.id_form,
    letters: audience.hashed_letters,
    sizeMax: limits.audienceSizeMax,
    bytesMax: limits.audienceFileBytesMax,
  };
  const onProgress = (progress: number): void => {
    void setImport(ctx.db, row.uuid, { progress }).catch(() => {});
  };
  const { report, kind } = await importIds(task, { onProgress, signal: stopping });
  await swap(ctx, row, { audience, output, report, hash: kind.hash });
}

/** Gets what an import reads to a local file. Throws SourceFailed. */
async function gather(ctx: Context, row: ImportRow, path: string, signal: AbortSignal): Promise<void> {
  if (row.source === 'upload' || row.source === 'api') {
    await pipeline(Readable.from(partsOf(ctx, row.parts)), createWriteStream(path, { mode: 0o600 }), {
      signal,
    });
    return;
  }
  const { source_url: address } =
    row.source_url === null
      ? ((await findOwned(ctx.db, 'audiences', row.company_uuid, row.audience_uuid)) ?? row)
      : row;
  const fetched = await ctx.fetchFile(address ?? '', path, { bytesMax: limits.audienceFileBytesMax, signal });
  if (fetched.isWhole) return;
  if (fetched.isTooLong) throw new SourceFailed(audienceApiMessages.tooLongFile(limits.audienceFileBytesMax));
  if (fetched.failure === 'private') throw new SourceFailed(audienceApiMessages.addressPrivate);
  throw new SourceFailed(
    fetched.status === 200
      ? audienceApiMessages.fileUnreadable
      : audienceApiMessages.addressFailed(fetched.status),
  );
}

async function* partsOf({ files }: Context, parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield* files.read(part.uuid) as AsyncIterable<Buffer>;
}

/** Puts the new file in the place of the present one. */
async function swap(
  ctx: Context,
  row: ImportRow,
  {
    audience,
    output,
    report,
    hash,
  }: { audience: Audience; output: string; report: ImportReport; hash: Audience['id_hash'] },
): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  const fileUuid = uuidv7();
  await noteUnusedFiles(ctx.db, [fileUuid]);
  await ctx.files.write(fileUuid, createReadStream(output));
  const { bytes, sha256 } = await digestOf(output);
  const unused = await transact(ctx.db, async (tx) => {
    const locked = await lockOwned(tx.db, 'audiences', companyId, uuid);
    const own = await lockOwned(tx.db, 'audience_imports', companyId, row.uuid);
    // It was deleted, or another process has imported it meanwhile.
    const isOver = own?.state !== 'running' || own.attempts !== row.attempts;
    if (!locked || isOver || locked.file_uuid !== audience.file_uuid) return [fileUuid];
    const at = ctx.now();
    await insertOwned(tx.db, 'files', companyId, {
      uuid: fileUuid,
      content_type: 'application/octet-stream',
      extension: 'audience',
      size_bytes: bytes,
      sha256,
      width: null,
      height: null,
      duration_ms: null,
      created_at: at,
    });
    await updateOwned(tx.db, 'audiences', companyId, uuid, {
      file_uuid: fileUuid,
      size: report.size_after,
      id_hash: report.size_after > 0 ? hash : null,
      refreshed_at: at,
      looked_up: 0,
      matched: 0,
    });
    if (locked.file_uuid !== null) {
      await noteUnusedFiles(tx.db, [locked.file_uuid]);
      await tx.db
        .deleteFrom('files')
        .where('company_uuid', '=', companyId)
        .where('uuid', '=', locked.file_uuid)
        .execute();
    }
    await setImport(tx.db, row.uuid, {
      state: 'done',
      report,
      parts: [],
      claimed_until: null,
      finished_at: at,
    });
    notifyOfAudience(ctx, tx, { companyId, uuid, isOther: true });
    return [...(locked.file_uuid === null ? [] : [locked.file_uuid]), ...row.parts.map((part) => part.uuid)];
  });
  for (const file of unused) await discardFile(ctx, file);
}

async function fail(ctx: Context, row: ImportRow, error: string, report?: ImportReport): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  await transact(ctx.db, async (tx) => {
    await setImport(tx.db, row.uuid, {
      state: 'failed',
      error,
      ...(report && { report }),
      parts: [],
      claimed_until: null,
      finished_at: ctx.now(),
    });
    notifyOfAudience(ctx, tx, { companyId, uuid });
  });
  for (const part of row.parts) await discardFile(ctx, part.uuid);
}

async function extend(ctx: Context, row: ImportRow): Promise<void> {
  await setImport(ctx.db, row.uuid, { claimed_until: new Date(ctx.now().getTime() + CLAIM_MS) });
}

const KIND_NAMES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'plain or SHA-256' } as const;

function sentenceOf(fault: ImportFault): string {
  switch (fault.code) {
    case 'empty':
      return audienceApiMessages.fileEmpty;
    case 'gzip':
      return audienceApiMessages.gzipDamaged;
    case 'unreadable':
      return audienceApiMessages.fileUnreadable;
    case 'too_many':
      return audienceApiMessages.tooManyIds(limits.audienceSizeMax);
    case 'too_long':
      return audienceApiMessages.tooLongFile(limits.audienceFileBytesMax);
    case 'no_valid_ids':
      return audienceApiMessages.noValidIds(fault.lines);
    case 'mostly_invalid':
      return audienceApiMessages.mostlyInvalid(fault.lines, fault.invalid);
    case 'other_kind':
      return audienceApiMessages.otherKind(KIND_NAMES[fault.stored], KIND_NAMES[fault.given]);
  }
}
