import type {
  CreatedPasskey,
  CreationOptions,
  PasskeyAssertion,
  RequestOptions,
} from '@bidwell/contract/accounts/passkey';
import { type KeyObject, createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const BACKUP_ELIGIBLE = 0x08;
const BACKED_UP = 0x10;
const HAS_CREDENTIAL = 0x40;

/** The false statements of a response. */
interface Lies {
  origin?: string;
  rpId?: string;
  /** A text of an honest one. */
  challenge?: string | object;
  /** The signature counter. */
  counter?: number;
  /** False for someone who was not asked for a PIN, a fingerprint or a face. */
  isVerified?: boolean;
  /** Null for a response that does not say whose passkey it is. */
  userHandle?: string | null;
  /** An attestation statement in CBOR, with its format. */
  attestation?: { format: string; statement: Buffer };
}

interface StoredPasskey {
  id: string;
  userHandle: string;
  privateKey: KeyObject;
  counter: number;
}

/** A browser at an origin with an authenticator that has passkeys. */
export interface SoftwareAuthenticator {
  /** Makes a passkey, as `navigator.credentials.create` with the options. */
  create(options: CreationOptions, lies?: Lies): CreatedPasskey;
  /** Answers by the first allowed passkey, as `navigator.credentials.get` with the options, or by `passkey`. */
  get(options: RequestOptions, lies?: Lies, passkey?: string): PasskeyAssertion;
}

/**
 * A software authenticator with keys of ES256: section 6 of Web Authentication, level 3. `isCounting` is true for one that counts its
 * signatures, as security keys do and password managers do not.
 */
export function softwareAuthenticator(origin: string, isCounting = true): SoftwareAuthenticator {
  const passkeys: StoredPasskey[] = [];
  const clientData = (type: string, challenge: string, lies: Lies) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const flags = ({ isVerified = true }: Lies) =>
    USER_PRESENT | (isVerified ? USER_VERIFIED : 0) | (isCounting ? 0 : BACKUP_ELIGIBLE | BACKED_UP);
  return {
    create(options, lies = {}) {
      const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const idBytes = randomBytes(32);
      const id = idBytes.toString('base64url');
      passkeys.push({ id, userHandle: options.user.id, privateKey, counter: 0 });
      const length = Buffer.alloc(2);
      length.writeUInt16BE(idBytes.length);
      const data = Buffer.concat([
        authenticatorData(lies.rpId ?? options.rp.id, flags(lies) | HAS_CREDENTIAL, 0),
        Buffer.alloc(16),
        length,
        idBytes,
        coseKey(publicKey),
      ]);
      const { format, statement } = lies.attestation ?? { format: 'none', statement: Buffer.from([0xa0]) };
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', options.challenge, lies).toString('base64url'),
          attestationObject: attestationObject(format, statement, data).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get(options, lies = {}, passkey = options.allowCredentials[0]?.id ?? passkeys.at(-1)?.id) {
      const used = passkeys.find(({ id }) => id === passkey);
      if (!used) throw new Error('the authenticator has no such passkey');
      if (isCounting) used.counter += 1;
      const client = clientData('webauthn.get', options.challenge, lies);
      const counter = lies.counter ?? used.counter;
      const data = authenticatorData(lies.rpId ?? options.rpId, flags(lies), counter);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), used.privateKey);
      const { userHandle = used.userHandle } = lies;
      return {
        id: used.id,
        rawId: used.id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(userHandle !== null && { userHandle }),
        },
      };
    },
  };
}

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const data = Buffer.alloc(37);
  sha256(rpId).copy(data);
  data.writeUInt8(flags, 32);
  data.writeUInt32BE(counter, 33);
  return data;
}

/** A key of ES256 in CBOR, as section 7 of RFC 9053 has it. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label]), byteString(Buffer.from(value, 'base64url'))]);
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]);
  return Buffer.concat([head, coordinate(0x21, x), coordinate(0x22, y)]);
}

function attestationObject(format: string, statement: Buffer, data: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(format),
    text('attStmt'),
    statement,
    text('authData'),
    byteString(data),
  ]);
}

/** A text of less than 24 bytes in CBOR. */
export const text = (value: string): Buffer =>
  Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);

/** Bytes in CBOR, from 24 to 65,535, with the shortest head, as authenticators write it. */
export function byteString(bytes: Buffer): Buffer {
  const { length } = bytes;
  const head = length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), bytes]);
}
