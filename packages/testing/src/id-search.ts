import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';

/** A form in which an id, or a digest of it, may be stored, as bytes. */
interface StoredForm {
  name: string;
  bytes: Buffer;
}

/**
 * All forms of an id that may be stored: the id in lower and upper case, with hyphens and without, and the MD5, SHA-1 and SHA-256 of each;
 * as hexadecimal digits in either case, as base64, as bytes, and as the first 8 bytes in either order.
 */
export function storedFormsOf(id: string): StoredForm[] {
  const spellings = [id.toLowerCase(), id.toUpperCase()].flatMap((text) => [text, text.replaceAll('-', '')]);
  const raw = [...new Set(spellings.filter((text) => !text.includes('-')))].slice(0, 1);
  const digests = spellings.flatMap((text) =>
    ['md5', 'sha1', 'sha256'].map((hash) => ({
      name: `${hash} of ${text}`,
      bytes: createHash(hash).update(text).digest(),
    })),
  );
  return [
    ...spellings.map((text) => ({ name: text, bytes: Buffer.from(text) })),
    ...spellings.map((text) => ({
      name: `base64 of ${text}`,
      bytes: Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '').slice(0, -1)),
    })),
    ...raw.map((text) => ({ name: 'the bytes of the id', bytes: Buffer.from(text, 'hex') })),
    ...digests.flatMap(({ name, bytes }) => [
      { name: `${name} in hexadecimal`, bytes: Buffer.from(bytes.toString('hex')) },
      { name: `${name} in upper case`, bytes: Buffer.from(bytes.toString('hex').toUpperCase()) },
      {
        name: `${name} in base64`,
        bytes: Buffer.from(bytes.toString('base64').replace(/=+$/, '').slice(0, -1)),
      },
      // The first 8 bytes are also the beginning of all bytes.
      { name: `${name}, first 8 bytes`, bytes: bytes.subarray(0, 8) },
      { name: `${name}, first 8 bytes reversed`, bytes: Buffer.from(bytes.subarray(0, 8)).reverse() },
    ]),
  ];
}

/** Where forms of an id are in some bytes: their names. */
export const formsIn = (content: Buffer, forms: readonly StoredForm[]): string[] =>
  forms.filter(({ bytes }) => content.includes(bytes)).map(({ name }) => name);

/** The files below a folder that have forms of an id, each with the names of these; packed files are searched unpacked. */
export async function filesWith(folder: string, forms: readonly StoredForm[]): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const found: string[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    // The server may delete a file meanwhile.
    const content = await readFile(path).catch(() => null);
    if (!content) continue;
    const names = formsIn(unpacked(content), forms);
    if (names.length > 0) found.push(`${relative(folder, path)}: ${names.join('; ')}`);
  }
  return found;
}

function unpacked(content: Buffer): Buffer {
  return content[0] === 0x1f && content[1] === 0x8b ? gunzipSync(content) : content;
}
