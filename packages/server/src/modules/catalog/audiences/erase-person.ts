import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { limits } from '@bidwell/contract/lib/limits';
import type { Context } from '../../../context.ts';
import {
  type DigestKind,
  audienceDigestsOf,
  importIds,
  isIdShaped,
  readAudience,
} from '../../../delivery/public.ts';
import { digestOf } from '../../../platform/files/digest.ts';
import { writeFileFrom } from '../../../platform/files/file-store.ts';
import { discardFile, noteUnusedFiles } from '../../../platform/files/unused-files.ts';
import { lockOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notifyOfAudience } from './import-queue.ts';
import { replaceFile } from './swap.ts';
import { audiencesWithFile, hasPendingFrom } from './store.ts';

/** How often the newer file of a list is tried that was replaced meanwhile. */
const TRIES = 5;

/**
 * Removes a person from the audiences of all companies, by the hashes of an advertising id in lower and upper case, or by one such hash, in
 * the audiences of its kind: writes their files anew without them. Calls `erased` for each audience that had the person. Throws an AggregateError where some could not be read or written, after the others.
 */
export async function eraseFromAudiences(
  ctx: Context,
  id: string,
  erased: () => Promise<void>,
): Promise<void> {
  if (!isIdShaped(id)) return;
  const failures: unknown[] = [];
  for (const audience of await audiencesWithFile(ctx.db))
    try {
      if (await eraseFromCurrent(ctx, audience, id)) await erased();
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0)
    throw new AggregateError(failures, 'A person could not be removed from all audiences.');
}

/** Removes a person from the file that an audience has now; imports may replace it meanwhile. Resolves to whether it had the person. */
async function eraseFromCurrent(ctx: Context, listed: AudienceWithFile, id: string): Promise<boolean> {
  let audience = listed;
  for (let tries = 1; ; tries += 1)
    try {
      const { words, hash, letters } = await readAudience(ctx.files.read(audience.file_uuid));
      const digests = audienceDigestsOf(words, hash, id);
      if (digests.length === 0) return false;
      await eraseFrom(ctx, audience, { hash, letters, digests });
      return true;
    } catch (error) {
      const [current] = await audiencesWithFile(ctx.db, audience.uuid);
      if (!current) return false;
      if (tries === TRIES || current.file_uuid === audience.file_uuid) throw error;
      audience = current;
    }
}

/** Whether files of ids from before an instant wait to be finished or imported, of any company: they may have an erased person. */
export async function hasUploadsFrom(ctx: Context, before: Date): Promise<boolean> {
  return hasPendingFrom(ctx.db, before);
}

type AudienceWithFile = Awaited<ReturnType<typeof audiencesWithFile>>[number];

async function eraseFrom(
  ctx: Context,
  { uuid, company_uuid: companyId, file_uuid: fileUuid }: AudienceWithFile,
  { digests, ...kind }: DigestKind & { digests: Buffer },
): Promise<void> {
  const folder = join(ctx.config.dataDir, 'uploads', randomUUID());
  await mkdir(folder, { recursive: true });
  try {
    const [input, previous, output] = ['input', 'previous', 'output'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await writeFile(input, digests);
    await writeFileFrom(previous, [ctx.files.read(fileUuid)]);
    const { report } = await importIds(
      {
        input,
        digestKind: kind,
        previous,
        output,
        mode: 'remove',
        form: 'auto',
        letters: kind.letters,
        sizeMax: limits.audienceSizeMax,
        bytesMax: limits.audienceFileBytesMax,
        mayHaveHead: false,
        mayBeCut: false,
      },
      { onProgress: () => {} },
    );
    const next = uuidv7();
    const digest = await digestOf(output);
    await noteUnusedFiles(ctx.db, [next]);
    await ctx.files.write(next, createReadStream(output));
    const unused = await transact(ctx.db, async (tx) => {
      const row = await lockOwned(tx.db, 'audiences', companyId, uuid);
      if (row?.file_uuid !== fileUuid) return next;
      await replaceFile(tx.db, row, {
        file: { uuid: next, ...digest },
        size: report.size_after,
        hash: kind.hash,
        at: ctx.now(),
      });
      notifyOfAudience(ctx, tx, { companyId, uuid, isOther: true });
      return fileUuid;
    });
    await discardFile(ctx, unused);
    if (unused === next) throw new Error('An audience changed while a person was removed from it.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
