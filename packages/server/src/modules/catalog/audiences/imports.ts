import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';
import { limits } from '@bidwell/contract/lib/limits';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pLimit from 'p-limit';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import {
  IMPORT_MS_MAX,
  type ImportFault,
  ImportFailed,
  type ImportTask,
  ImportTooSlow,
  PLAIN_KIND,
  importIds,
} from '../../../delivery/public.ts';
import { abortAfter } from '../../../platform/concurrency/time-limits.ts';
import { digestOf } from '../../../platform/files/digest.ts';
import { writeFileFrom } from '../../../platform/files/file-store.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import type { ImportReport, StoredPart } from '../../../platform/postgres/audience-tables.ts';
import {
  type OwnedRow,
  findOwned,
  lockOwned,
  updateOwned,
} from '../../../platform/postgres/stores/owned-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { recordChange } from '../../changes/public.ts';
import { changeOfIds } from './change-of-ids.ts';
import { fileAddressFault } from './file-address.ts';
import { notifyOfAudience } from './import-queue.ts';
import { replaceFile } from './swap.ts';
import { writeLivePeople } from './live-people.ts';
import { withPullKey } from './partner-audiences.ts';
import {
  type ImportLane,
  type ImportRow,
  campaignsOfApp,
  deleteImport,
  extendClaim,
  hasFile,
  putOffImport,
  setImport,
} from './store.ts';

/** How long a claim of an import lasts without a sign of its process. */
export const CLAIM_MS = 60_000;
const EXTEND_EVERY_MS = 10_000;
/** Longest import: the longest fetch, the longest thread, and others' threads before it. */
const TOTAL_MS = 3_600_000;
/** Tries of an import whose process ended. */
const ATTEMPTS_MAX = 3;

/** An import that failed for a reason that a user can see to. */
class SourceFailed extends Error {}

/** A short import that turned out to be long. */
class PutOff extends Error {}

type Audience = OwnedRow<'audiences'>;

/**
 * Unpacked bytes that an import reads among short ones: ids have two to three times as many as gzip packs them into. It takes about a second.
 */
const SHORT_BYTES_MAX = 4 * limits.audiencePartBytesMax;

/** Fetches wait for the servers of others, many at once; of their threads, one short and one long one at a time have a processor. */
const fetchedThreads = { short: pLimit(1), long: pLimit(1) } as const;

/**
 * Runs an import that this process has claimed in a lane: builds the next file of the audience next to the present one, and swaps them in one
 * transaction. Whatever fails, the audience stays as it is. A short import that turns out to be long is put off.
 */
export async function runImport(
  ctx: Context,
  row: ImportRow,
  { lane, stopping }: { lane: ImportLane; stopping: AbortSignal },
): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  // It was put off in one of the tries.
  if (row.attempts > ATTEMPTS_MAX + (row.put_off_at === null ? 0 : 1))
    return fail(ctx, row, audienceApiMessages.interrupted);
  const folder = join(ctx.config.dataDir, 'uploads', randomUUID());
  const lost = new AbortController();
  const extend = async (): Promise<void> => {
    const until = new Date(ctx.now().getTime() + CLAIM_MS);
    if (!(await extendClaim(ctx.db, row, until))) lost.abort();
  };
  const extending = setInterval(() => void extend().catch(() => {}), EXTEND_EVERY_MS);
  try {
    await mkdir(folder, { recursive: true });
    const audience = await findOwned(ctx.db, 'audiences', companyId, uuid);
    if (!audience) return;
    await abortAfter(TOTAL_MS, [stopping, lost.signal], async (signal) =>
      build(ctx, row, { audience, folder, lane, signal }),
    );
  } catch (error) {
    // A newer file of the partner came, or another process has it.
    if (lost.signal.aborted) return;
    if (stopping.aborted) {
      // The next process begins it again at once.
      await setImport(ctx.db, row.uuid, { claimed_until: ctx.now() }).catch(() => {});
      throw error;
    }
    if (error instanceof ImportFailed) return await fail(ctx, row, sentenceOf(error.fault), error.report);
    if (error instanceof SourceFailed) return await fail(ctx, row, error.message);
    if (error instanceof ImportTooSlow)
      return await fail(ctx, row, audienceApiMessages.tooSlow(IMPORT_MS_MAX));
    if (error instanceof PutOff) return await putOffImport(ctx.db, row, ctx.now());
    throw error;
  } finally {
    clearInterval(extending);
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(
  ctx: Context,
  row: ImportRow,
  {
    audience,
    folder,
    lane,
    signal,
  }: { audience: Audience; folder: string; lane: ImportLane; signal: AbortSignal },
): Promise<void> {
  const [input, previous, output] = ['input', 'previous', 'output'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const { mayBeCut } = await gather(ctx, row, input, signal);
  // Most refreshes find no one new, and need no thread.
  const isAddition = row.source === 'rule' && row.mode === 'add' && audience.file_uuid !== null;
  if (isAddition && (await stat(input)).size === 0) return keepAsItIs(ctx, row);
  const hasPrevious = row.mode !== 'replace' && audience.file_uuid !== null;
  if (hasPrevious) await writeFileFrom(previous, [ctx.files.read(audience.file_uuid!)]);
  const task: Omit<ImportTask, 'bytesMax'> = {
    input,
    digestKind: row.source === 'rule' ? PLAIN_KIND : null,
    previous: hasPrevious ? previous : null,
    output,
    mode: row.mode,
    form: audience.id_form,
    letters: audience.hashed_letters,
    sizeMax: limits.audienceSizeMax,
    mayHaveHead: row.source !== 'api',
    mayBeCut,
  };
  const onProgress = (progress: number): void => {
    void setImport(ctx.db, row.uuid, { progress }).catch(() => {});
  };
  const { report, kind } = await inLane(lane, input, async (bytesMax) =>
    importIds({ ...task, bytesMax }, { onProgress, signal }),
  );
  await swap(ctx, row, { audience, output, report, hash: kind.hash });
}

/**
 * Reads a file in its lane: `read` gets the most unpacked bytes that it may have. Throws PutOff where the file is too long for the lane of short
 * ones; a fetched one, which is here by now, goes on among the long ones that were fetched.
 */
async function inLane<T>(
  lane: ImportLane,
  input: string,
  read: (bytesMax: number) => Promise<T>,
): Promise<T> {
  const readAll = async () => read(limits.audienceFileBytesMax);
  const readShort = async () => read(SHORT_BYTES_MAX);
  if (lane === 'long') return readAll();
  if (lane === 'fetched' && (await stat(input)).size > SHORT_BYTES_MAX) return fetchedThreads.long(readAll);
  try {
    return await (lane === 'fetched' ? fetchedThreads.short(readShort) : readShort());
  } catch (error) {
    if (!(error instanceof ImportFailed) || error.fault.code !== 'too_long') throw error;
    if (lane === 'short') throw new PutOff();
    return fetchedThreads.long(readAll);
  }
}

/** Gets what an import reads to a local file; `mayBeCut` where it is not known that this is whole. Throws SourceFailed. */
async function gather(
  ctx: Context,
  row: ImportRow,
  path: string,
  signal: AbortSignal,
): Promise<{ mayBeCut: boolean }> {
  if (row.source === 'upload' || row.source === 'api') {
    const parts = Readable.from(partsOf(ctx, row.parts));
    await pipeline(parts, createWriteStream(path, { mode: 0o600 }), { signal });
    return { mayBeCut: false };
  }
  if (row.source === 'rule') {
    await gatherLive(ctx, row, path, signal);
    return { mayBeCut: false };
  }
  const address = await addressOf(ctx, row);
  const fault = canParseUrl(address) ? fileAddressFault(ctx, address) : null;
  if (fault !== null) throw new SourceFailed(fault);
  const fetched = await ctx.fetchFile(address, path, { bytesMax: limits.audienceFileBytesMax, signal });
  if (fetched.isWhole) return { mayBeCut: !fetched.isEndKnown };
  if (fetched.isTooSlow) throw new SourceFailed(audienceApiMessages.addressTooSlow);
  if (fetched.isTooLong) throw new SourceFailed(audienceApiMessages.tooLongFile(limits.audienceFileBytesMax));
  if (fetched.failure === 'private') throw new SourceFailed(audienceApiMessages.addressPrivate);
  throw new SourceFailed(
    fetched.status === 200
      ? audienceApiMessages.fileUnreadable
      : audienceApiMessages.addressFailed(fetched.status),
  );
}

/** The address of the file of an import that is fetched. Throws SourceFailed where the partner's key is not set. */
async function addressOf(ctx: Context, row: ImportRow): Promise<string> {
  if (row.source === 'partner') {
    const address = withPullKey(row.source_url ?? '', ctx.config.appsFlyerPullKey);
    if (address === null) throw new SourceFailed(audienceApiMessages.pullKeyMissing);
    return address;
  }
  const audience = await findOwned(ctx.db, 'audiences', row.company_uuid, row.audience_uuid);
  return audience?.source_url ?? '';
}

/** How much of the time before the last refresh is read again: postbacks are stored some seconds after they came. */
const OVERLAP_MS = 600_000;

async function gatherLive(ctx: Context, row: ImportRow, path: string, signal: AbortSignal): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid, mode } = row;
  const audience = await findOwned(ctx.db, 'audiences', companyId, uuid);
  if (!audience?.rule || audience.app_uuid === null) throw new SourceFailed(audienceApiMessages.liveRefresh);
  const campaignIds = await campaignsOfApp(ctx.db, companyId, audience.app_uuid);
  const { refreshed_at: refreshedAt, rule } = audience;
  // A list to which people are added has the earlier ones.
  const since = mode === 'add' && refreshedAt !== null ? new Date(refreshedAt.getTime() - OVERLAP_MS) : null;
  await writeLivePeople(
    ctx.clickhouse,
    path,
    { companyId, campaignIds, rule, now: ctx.now(), since },
    signal,
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
  const { bytes, sha256 } = await digestOf(output);
  if (row.source === 'rule' && (await hasFile(ctx.db, companyId, audience.file_uuid, sha256)))
    return keepAsItIs(ctx, row);
  await noteUnusedFiles(ctx.db, [fileUuid]);
  await ctx.files.write(fileUuid, createReadStream(output));
  const unused = await transact(ctx.db, async (tx) => {
    const locked = await lockOwned(tx.db, 'audiences', companyId, uuid);
    const own = await lockOwned(tx.db, 'audience_imports', companyId, row.uuid);
    // It was deleted, or another process has imported it meanwhile.
    const isOver = own?.state !== 'running' || own.attempts !== row.attempts;
    if (!locked || isOver || locked.file_uuid !== audience.file_uuid) return [fileUuid];
    const at = ctx.now();
    await replaceFile(tx.db, locked, {
      file: { uuid: fileUuid, bytes, sha256 },
      size: report.size_after,
      hash,
      at,
    });
    await updateOwned(tx.db, 'audiences', companyId, uuid, { refreshed_at: at });
    await setImport(tx.db, row.uuid, {
      state: 'done',
      report: { ...report, size_before: locked.size },
      parts: [],
      source_url: null,
      claimed_until: null,
      finished_at: at,
    });
    const change = changeOfIds(row, { name: locked.name, before: locked.size, after: report.size_after });
    if (change) await recordChange(ctx, tx, change.author, change.record);
    else notifyOfAudience(ctx, tx, { companyId, uuid, isOther: true });
    return [...(locked.file_uuid === null ? [] : [locked.file_uuid]), ...row.parts.map((part) => part.uuid)];
  });
  for (const file of unused) await discardFile(ctx, file);
}

/** Ends the refresh of a live audience whose people are the same: nothing else changes, so that bidders need not read it again. */
async function keepAsItIs(ctx: Context, row: ImportRow): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  await transact(ctx.db, async (tx) => {
    await updateOwned(tx.db, 'audiences', companyId, uuid, { refreshed_at: ctx.now() });
    await deleteImport(tx.db, companyId, row.uuid);
    notifyOfAudience(ctx, tx, { companyId, uuid });
  });
}

/** The report of an import that failed before a line was read. */
const NOTHING_READ = { lines: 0, ids: 0, duplicates: 0, invalid: 0, invalid_lines: [] };

async function fail(ctx: Context, row: ImportRow, error: string, report?: ImportReport): Promise<void> {
  const { company_uuid: companyId, audience_uuid: uuid } = row;
  await transact(ctx.db, async (tx) => {
    const audience = await findOwned(tx.db, 'audiences', companyId, uuid);
    const size = audience?.size ?? 0;
    await setImport(tx.db, row.uuid, {
      state: 'failed',
      error,
      report: { ...NOTHING_READ, ...report, size_before: size, size_after: size },
      parts: [],
      source_url: null,
      claimed_until: null,
      finished_at: ctx.now(),
    });
    notifyOfAudience(ctx, tx, { companyId, uuid });
  });
  for (const part of row.parts) await discardFile(ctx, part.uuid);
}

const KIND_NAMES = { md5: 'MD5', sha1: 'SHA-1', sha256: 'plain or SHA-256' } as const;

function sentenceOf(fault: ImportFault): string {
  switch (fault.code) {
    case 'empty':
      return audienceMessages.fileEmpty;
    case 'head_alone':
      return audienceApiMessages.headAlone;
    case 'cut_off':
      return audienceApiMessages.cutOff;
    case 'other_format':
      return audienceApiMessages.otherFormats[fault.format];
    case 'gzip':
      return audienceApiMessages.gzipDamaged;
    case 'unreadable':
      return audienceApiMessages.fileUnreadable;
    case 'too_many':
      return audienceApiMessages.tooManyIds(limits.audienceSizeMax);
    case 'too_long':
      return audienceApiMessages.tooLongFile(limits.audienceFileBytesMax);
    case 'unpacks_too_far':
      return audienceApiMessages.unpacksTooFar;
    case 'no_valid_ids':
      return audienceApiMessages.noValidIds(fault.lines, fault.first);
    case 'mostly_invalid':
      return audienceApiMessages.mostlyInvalid(fault.lines, fault.invalid, fault.first);
    case 'other_kind':
      return audienceApiMessages.otherKind(KIND_NAMES[fault.stored], KIND_NAMES[fault.given]);
  }
}
