import { type KeyObject, createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';

/** A text that is no private key which Apple's frameworks can verify; the message says why. */
export class UnusableKey extends Error {
  override readonly name = 'UnusableKey';
}

/** The curve that SKAdNetwork and AdAttributionKit verify with, as OpenSSL names it. */
const CURVE = 'prime256v1';

/** Reads a private key in PEM, SEC1 or PKCS#8. Throws {@link UnusableKey}. */
export function readPrivateKey(pem: string): KeyObject {
  if (/-----BEGIN (?:EC )?PUBLIC KEY-----/.test(pem))
    throw new UnusableKey('This is a public key: paste the private one');
  if (/-----BEGIN CERTIFICATE/.test(pem))
    throw new UnusableKey('This is a certificate: paste the private key');
  if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(pem))
    throw new UnusableKey('This key is encrypted with a passphrase: paste it decrypted');
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    throw new UnusableKey(
      'This is no private key in PEM: it begins with -----BEGIN EC PRIVATE KEY----- or -----BEGIN PRIVATE KEY-----',
    );
  }
  if (key.asymmetricKeyType !== 'ec')
    throw new UnusableKey(`This is a key for ${key.asymmetricKeyType}: Apple takes elliptic curve keys only`);
  const curve = key.asymmetricKeyDetails?.namedCurve;
  if (curve !== CURVE)
    throw new UnusableKey(`This key is on the curve ${curve}: Apple takes P-256 (prime256v1) only`);
  return key;
}

/** A new private key. */
export function newPrivateKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: CURVE }).privateKey;
}

/** A private key as it is stored: PKCS#8 in PEM. */
export function privatePem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public half of a private key: SPKI in Base64. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).toString('base64');
}

/** ECDSA with SHA-256 in DER, Base64: the signature of SKAdNetwork. */
export function signText(text: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(text), key).toString('base64');
}

/** A compact JWS with ES256 of what {@link jwsSigningInput} writes. */
export function signJws(input: string, key: KeyObject): string {
  const signature = sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return `${input}.${signature.toString('base64url')}`;
}
