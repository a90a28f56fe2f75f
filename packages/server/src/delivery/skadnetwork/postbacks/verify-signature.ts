import { type KeyObject, verify } from 'node:crypto';

/**
 * Whether one of some P-256 keys signed the bytes, with SHA-256; the signature is in DER. The work is done in the thread pool, so that the
 * event loop goes on.
 */
export async function isSignedBy(
  keys: readonly KeyObject[],
  bytes: Buffer,
  signature: Buffer,
): Promise<boolean> {
  for (const key of keys) if (await isSigned(key, bytes, signature)) return true;
  return false;
}

async function isSigned(key: KeyObject, bytes: Buffer, signature: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    // A signature that cannot be decoded is one that does not fit.
    verify('sha256', bytes, { key, dsaEncoding: 'der' }, signature, (error, isValid) =>
      resolve(error === null && isValid),
    );
  });
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;

/** The bytes of a text in base64; null where it is none. */
export function bytesOfBase64(text: string): Buffer | null {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}
