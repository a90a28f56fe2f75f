import { createReadStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { BackupStep } from './backup.ts';
import { BackupFailed, explained } from './backup-failed.ts';
import { MANIFEST } from './manifest.ts';
import { writtenFile } from './spool-state.ts';

/** A line of the stream: a file, whose bytes follow it; progress; or the sentence of an error, which ends the stream. */
const Head = z.union([
  z.object({ file: z.string(), bytes: z.int().nonnegative(), sha256: z.string() }),
  z.object({ note: z.string() }),
  z.object({ error: z.string() }),
]);
type Head = z.infer<typeof Head>;

const HEAD_BYTES_MAX = 10_000;

const headOf = (head: Head): Buffer => Buffer.from(`${JSON.stringify(head)}\n`);

/** Encodes a backup for the command line. An error becomes its last line; `failed` gets errors without a sentence. */
export async function* encodeBackup(
  steps: AsyncIterable<BackupStep>,
  failed: (error: unknown) => void,
): AsyncGenerator<Buffer> {
  try {
    for await (const step of steps) {
      if ('note' in step) {
        yield headOf(step);
        continue;
      }
      const { bytes, sha256 } = step.digest;
      yield headOf({ file: step.file, bytes, sha256 });
      yield* createReadStream(step.path) as AsyncIterable<Buffer>;
    }
  } catch (error) {
    const known = explained(error);
    if (!(known instanceof BackupFailed)) failed(error);
    yield headOf({
      error:
        known instanceof BackupFailed
          ? known.message
          : 'The server could not make the backup; its log says why.',
    });
  }
}

/** Decodes a backup into files of `folder`, each deleted when the next one is requested. Throws {@link BackupFailed}. */
export async function* decodeBackup(
  stream: AsyncIterable<Uint8Array>,
  folder: string,
): AsyncGenerator<BackupStep> {
  const reader = byteReader(stream);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, 'received');
  try {
    for (;;) {
      const head = Head.parse(JSON.parse(await reader.line()));
      if ('error' in head) throw new BackupFailed(head.error);
      if ('note' in head) {
        yield head;
        continue;
      }
      const digest = await writtenFile(path, reader.bytes(head.bytes));
      if (digest.sha256 !== head.sha256)
        throw new BackupFailed('The backup was damaged on its way from the server.');
      yield { file: head.file, path, digest };
      await rm(path, { force: true });
      if (head.file === MANIFEST) return;
    }
  } finally {
    await reader.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function byteReader(stream: AsyncIterable<Uint8Array>) {
  const source = stream[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const more = async (): Promise<Buffer> => {
    const next = await source.next();
    if (next.done) throw new BackupFailed('The server broke off: its log may say why. Repeat the backup.');
    return Buffer.from(next.value);
  };
  return {
    async line(): Promise<string> {
      for (let end = rest.indexOf(10); ; end = rest.indexOf(10)) {
        if (end >= 0) {
          const line = rest.toString('utf8', 0, end);
          rest = rest.subarray(end + 1);
          return line;
        }
        if (rest.length > HEAD_BYTES_MAX) throw new BackupFailed('The server’s response is not a backup.');
        rest = Buffer.concat([rest, await more()]);
      }
    },
    async *bytes(count: number): AsyncGenerator<Buffer> {
      for (let left = count; left > 0;) {
        if (rest.length === 0) rest = await more();
        const chunk = rest.subarray(0, left);
        rest = rest.subarray(chunk.length);
        left -= chunk.length;
        yield chunk;
      }
    },
    close: async () => void (await source.return?.()),
  };
}
