import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Length and sums of a file's content. */
export interface Digest {
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
  /** Base64, as in the header Content-MD5. */
  md5: string;
}

/** A stream that passes content on and sums it up; it fails beyond `bytesMax`. */
export function digestMeter(bytesMax: number): { stream: Transform; digest(): Digest } {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  let bytes = 0;
  const stream = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      sha256.update(chunk);
      md5.update(chunk);
      done(bytes > bytesMax ? new Error(`The file has more than ${bytesMax} bytes.`) : null, chunk);
    },
  });
  return { stream, digest: () => ({ bytes, sha256: sha256.digest('hex'), md5: md5.digest('base64') }) };
}

/** The digest of a local file. Throws the error of the file system. */
export async function digestOf(path: string): Promise<Digest> {
  const meter = digestMeter(Infinity);
  await pipeline(createReadStream(path), meter.stream.resume());
  return meter.digest();
}
