import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { type Config, readConfig } from '../config/config.ts';
import { digestOf } from '../platform/files/digest.ts';
import { type LocalFile, localFiles, FilesUnavailable } from '../platform/files/file-store.ts';
import { type S3Bucket, openBucket } from '../platform/files/s3-bucket.ts';
import { objectOf } from '../platform/files/s3-file-store.ts';
import { S3Refused } from '../platform/files/s3.ts';
import { OperatorError } from './client.ts';
import { command } from './command.ts';

const AT_ONCE = 8;
const SAY_EVERY_FILES = 1000;

/** A number of files and their bytes. */
interface Sum {
  files: number;
  bytes: number;
}

/** The command `copy-files`. It reads DATA_DIR and the S3 settings itself, and calls no server. */
export const copyFilesCommand = command({
  summary: 'Copy DATA_DIR/files into S3 and compare the sums; repeated, it continues where it stopped',
  run: () => copyFiles(readConfig(process.env), (line) => console.log(line)),
});

/**
 * Copies the files of DATA_DIR/files into S3 and reads each back; files that are there with the same size and SHA-256 sum are
 * not copied again. The server may run meanwhile. Throws OperatorError at the first file that cannot be copied.
 */
export async function copyFiles(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  say: (line: string) => void,
): Promise<void> {
  if (!s3) throw new OperatorError('S3_ENDPOINT is not set: set it and the other S3 settings to copy files.');
  const bucket = openBucket(s3, { warn() {}, error() {} });
  const scratch = await mkdtemp(join(tmpdir(), 'bidwell-copy-'));
  const [copied, present]: [Sum, Sum] = [
    { files: 0, bytes: 0 },
    { files: 0, bytes: 0 },
  ];
  const limit = pLimit(AT_ONCE);
  try {
    await bucket.check(join(scratch, 'check'));
    for await (const files of localFiles(join(dataDir, 'files')))
      await limit.map(files, async (file) => {
        const outcome = await copyFile(bucket, file, join(scratch, randomUUID()));
        if (!outcome) return;
        const sum = outcome.isNew ? copied : present;
        sum.files += 1;
        sum.bytes += outcome.bytes;
        const count = copied.files + present.files;
        if (count % SAY_EVERY_FILES === 0) say(`${count} files …`);
      });
  } catch (error) {
    throw explained(error, copied.files + present.files);
  } finally {
    limit.clearQueue();
    await bucket.close();
    await rm(scratch, { recursive: true, force: true });
  }
  say(`Copied ${textOf(copied)}; ${textOf(present)} were in S3 already.`);
  say(
    `All ${textOf({ files: copied.files + present.files, bytes: copied.bytes + present.bytes })} of ${join(dataDir, 'files')} are in S3 with the same SHA-256 sums.`,
  );
}

/** Copies one file unless it is there; null for one that the running server removed meanwhile. */
async function copyFile(
  bucket: S3Bucket,
  { key, path }: LocalFile,
  readBackPath: string,
): Promise<{ bytes: number; isNew: boolean } | null> {
  const digest = await digestOf(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (!digest) return null;
  const name = objectOf(key);
  const there = await bucket.describe(name);
  if (there?.bytes === digest.bytes && there.sha256 === digest.sha256)
    return { bytes: digest.bytes, isNew: false };
  await bucket.put(name, path, digest);
  const stored = await bucket.get(name, readBackPath);
  await rm(readBackPath, { force: true });
  if (stored?.sha256 !== digest.sha256)
    throw new OperatorError(`The copy of ${path} in S3 is not the same as the file.`);
  return { bytes: digest.bytes, isNew: true };
}

function explained(error: unknown, done: number): unknown {
  const cause = error instanceof FilesUnavailable ? error.cause : error;
  const repeat = `${done} files are in S3; repeat the command to go on.`;
  if (cause instanceof S3Refused || cause instanceof OperatorError)
    return new OperatorError(`${cause.message} ${repeat}`);
  return error instanceof FilesUnavailable ? new OperatorError(`S3 does not answer. ${repeat}`) : error;
}

const textOf = ({ files, bytes }: Sum): string =>
  `${files} ${files === 1 ? 'file' : 'files'} (${bytes} bytes)`;
