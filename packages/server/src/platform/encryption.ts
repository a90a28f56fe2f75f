import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Where a value is stored. An encrypted value can be decrypted in its own place only. */
export interface Place {
  table: string;
  column: string;
  /** The row's key, which never changes. */
  row: string;
}

/** A stored value is encrypted with a key that this process does not have; the message names the remedy. */
export class EncryptionKeyMissing extends Error {
  override readonly name = 'EncryptionKeyMissing';
  constructor(keyIds: readonly string[]) {
    super(
      `The database has secrets that are encrypted with the key ${keyIds.join(', ')}, which this server does not have: add it to ENCRYPTION_KEYS, or to encryptionKeys in DATA_DIR/secrets.json. ` +
        `If it is lost, start once with LOST_ENCRYPTION_KEYS=${keyIds.join(',')}.`,
    );
  }
}

/** Encrypts the few secrets that the database has to return in plain text. */
export interface Encryption {
  /** Encrypts with the first key. Throws an Error if there is none. */
  encrypt(text: string, place: Place): string;
  /**
   * The plain text of a stored value; one that an earlier release stored in plain text is returned as it is. Throws
   * {@link EncryptionKeyMissing}, and an Error for a value that was changed or belongs to another place.
   */
  decrypt(stored: string, place: Place): string;
  /** The id of the key of a stored value; null for plain text. */
  keyIdOf(this: void, stored: string): string | null;
  /** The id of the first key; '' if there is none, as in a command on another machine than the server's. */
  currentKeyId: string;
  /** The ids of all keys. */
  keyIds: ReadonlySet<string>;
}

/** The form of an encrypted value: `enc:1:{key id}:{Base64url of nonce, tag and ciphertext}`. */
const FORM = /^enc:1:([\da-f]{12}):([\w-]+)$/;
const ALGORITHM = 'aes-256-gcm';
const KEY_BYTES = 32;
const KEY_ID_BYTES = 6;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Creates an {@link Encryption} (AES-256-GCM) whose keys are derived from these secrets; the first one encrypts. */
export function createEncryption(secrets: readonly string[]): Encryption {
  const keys = new Map(secrets.map((secret) => [encryptionKeyId(secret), derived(secret, 'key', KEY_BYTES)]));
  const currentKeyId = secrets[0] === undefined ? '' : encryptionKeyId(secrets[0]);
  return {
    currentKeyId,
    keyIds: new Set(keys.keys()),
    keyIdOf: (stored) => FORM.exec(stored)?.[1] ?? null,
    encrypt(text, place) {
      const key = keys.get(currentKeyId);
      if (!key)
        throw new Error(
          'There is no key to encrypt with: set ENCRYPTION_KEYS, or DATA_DIR to that of the server.',
        );
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce);
      cipher.setAAD(placeBytes(place));
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      const whole = Buffer.concat([nonce, cipher.getAuthTag(), body]);
      return `enc:1:${currentKeyId}:${whole.toString('base64url')}`;
    },
    decrypt(stored, place) {
      const [, keyId, encoded] = FORM.exec(stored) ?? [];
      if (keyId === undefined || encoded === undefined) return stored;
      const key = keys.get(keyId);
      if (!key) throw new EncryptionKeyMissing([keyId]);
      const whole = Buffer.from(encoded, 'base64url');
      const decipher = createDecipheriv(ALGORITHM, key, whole.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(placeBytes(place));
      decipher.setAuthTag(whole.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = decipher.update(whole.subarray(NONCE_BYTES + TAG_BYTES));
      return Buffer.concat([body, decipher.final()]).toString('utf8');
    },
  };
}

/** The id of an encryption key, by which the database names it. It says nothing about the key. */
export function encryptionKeyId(secret: string): string {
  return derived(secret, 'id', KEY_ID_BYTES).toString('hex');
}

function derived(secret: string, purpose: 'key' | 'id', bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `bidwell database encryption ${purpose} 1`, bytes));
}

function placeBytes({ table, column, row }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, column, row]));
}
