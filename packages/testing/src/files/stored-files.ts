import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { App } from '@bidwell/server/start/app';
import { bucketFolder } from '../engines/services.ts';

/** The suffix that the S3-compatible server of the tests adds to the name of an object. */
const OBJECT = '._S3rver_object';

/** The keys of all files in the server's file store, and the names of uploads that are not finished. */
export async function storedFiles({ ctx: { config } }: Pick<App, 'ctx'>): Promise<string[]> {
  const entriesOf = async (folder: string) =>
    readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const uploads = await entriesOf(join(config.dataDir, 'uploads'));
  const { s3 } = config;
  const files = await entriesOf(s3 ? join(bucketFolder(), s3.prefix) : join(config.dataDir, 'files'));
  return [
    ...uploads.map(({ name }) => name),
    ...files
      .filter((entry) => entry.isFile() && (!s3 || entry.name.endsWith(OBJECT)))
      .map(({ name }) => name.replace(OBJECT, '')),
  ];
}
