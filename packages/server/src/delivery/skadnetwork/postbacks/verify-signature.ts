import { type KeyObject, verify } from 'node:crypto';

/**
 * Whether one of some P-256 keys signed the bytes, with SHA-256. The work is done in the thread pool, so that the event loop goes on.
 * `encoding` is that of the signature: `der` in SKAdNetwork, `ieee-p1363` in a JWS.
 */
export async function isSignedBy(
  keys: readonly KeyObject[],
  bytes: Buffer,
  signature: Buffer,
  encoding: 'der' | 'ieee-p1363',
): Promise<boolean> {
  for (const key of keys) if (await isSigned(key, bytes, signature, encoding)) return true;
  return false;
}

async function isSigned(
  key: KeyObject,
  bytes: Buffer,
  signature: Buffer,
  dsaEncoding: 'der' | 'ieee-p1363',
): Promise<boolean> {
  return new Promise((resolve) => {
    // A signature that cannot be decoded is one that does not fit.
    verify('sha256', bytes, { key, dsaEncoding }, signature, (error, isValid) =>
      resolve(error === null && isValid),
    );
  });
}

const BASE64 = /^[A-Za-z\d+/]+={0,2}$/;
const BASE64URL = /^[\w-]+$/;

/** The bytes of a text in base64; null where it is none. */
export function bytesOfBase64(text: string): Buffer | null {
  return BASE64.test(text) ? Buffer.from(text, 'base64') : null;
}

/** The bytes of a text in base64url without padding, as in a JWS; null where it is none. */
export function bytesOfBase64Url(text: string): Buffer | null {
  return BASE64URL.test(text) ? Buffer.from(text, 'base64url') : null;
}
