// oxlint-disable-next-line typescript/triple-slash-reference -- The package has no types, and other packages load this file.
/// <reference path="./s3rver.d.ts" />
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import type { S3Settings } from '@bidwell/server/platform/files/s3';

/** An S3-compatible server in this process. */
export interface S3Server {
  port: number;
  /** Its bucket and the key that it accepts. */
  settings: S3Settings;
  /** The same as environment variables. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts a server with one empty bucket in a temporary folder. */
export async function startS3Server(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'bidwell-s3-'));
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name: 'creatives' }],
  });
  const { port } = await server.run();
  const settings = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'creatives',
    region: 'us-east-1',
    accessKeyId: 'S3RVER',
    secretAccessKey: 'S3RVER',
    prefix: '',
  };
  return {
    port,
    settings,
    environment: {
      S3_ENDPOINT: settings.endpoint,
      S3_BUCKET: settings.bucket,
      S3_ACCESS_KEY_ID: settings.accessKeyId,
      S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    },
    async stop() {
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
