import { isDatabaseUnavailable } from '../platform/database-unavailable.ts';
import { FilesUnavailable } from '../platform/files/file-store.ts';
import { FolderInUse } from '../platform/files/folder-lock.ts';
import { S3Refused } from '../platform/files/s3.ts';

/** A backup, restore or move failed; the message is a sentence for people. */
export class BackupFailed extends Error {}

/** Sentences for errors of the file system, by Node's code. */
const reasons: Record<string, (path: string) => string> = {
  ENOSPC: (path) => `The disk is full: ${path} cannot be written.`,
  EDQUOT: (path) => `The quota of the disk is used up: ${path} cannot be written.`,
  EACCES: (path) => `${path} may not be read or written: check its owner.`,
  EPERM: (path) => `${path} may not be changed: check its owner.`,
  EROFS: (path) => `${path} is on a read-only disk.`,
  ENOTDIR: (path) => `${path} is below a file, but should be in a folder.`,
  ENOENT: (path) => `${path} does not exist.`,
};

/** Replaces errors that an operator can mend by {@link BackupFailed}; returns others unchanged. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BackupFailed) return error;
  if (error instanceof FolderInUse)
    return new BackupFailed(`${error.message} Stop it first.`, { cause: error });
  const cause = error instanceof FilesUnavailable ? error.cause : error;
  if (cause instanceof S3Refused) return new BackupFailed(cause.message, { cause: error });
  if (error instanceof FilesUnavailable) return new BackupFailed('S3 does not answer.', { cause: error });
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && Object.hasOwn(reasons, code))
    return new BackupFailed(reasons[code]!(path ?? 'A file'), { cause: error });
  if (isDatabaseUnavailable(error))
    return new BackupFailed(
      `A database does not answer (${error.message}): check DATABASE_URL and CLICKHOUSE_URL.`,
      { cause: error },
    );
  return error;
}
