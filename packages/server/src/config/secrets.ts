import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, type Environment, SECRET_LENGTH_MIN } from './environment.ts';

const StoredSecrets = z.object({
  accessTokenSecret: z.string().min(SECRET_LENGTH_MIN),
  signingSecret: z.string().min(SECRET_LENGTH_MIN),
  operatorToken: z.string().min(SECRET_LENGTH_MIN),
  /** Keys of the secrets in the database; absent in a file of an earlier release. */
  encryptionKeys: z.array(z.string().min(SECRET_LENGTH_MIN)).min(1).optional(),
  /** The server's own signing secret before it adopted the shared one. */
  previousSigningSecret: z.string().min(SECRET_LENGTH_MIN).optional(),
});
type StoredSecrets = z.infer<typeof StoredSecrets>;
/** The secrets of a server. */
export type SecretName = Exclude<keyof StoredSecrets, 'previousSigningSecret' | 'encryptionKeys'>;

/** The secrets of a server, and where they come from. */
export type Secrets = Readonly<
  Record<SecretName, string> & {
    /** The signing secret before the last rotation, whose tokens are still accepted; null without one. */
    previousSigningSecret: string | null;
    /** Secrets from which the keys of encrypted columns are derived; the first one encrypts. They are never in the database. */
    encryptionKeys: readonly string[];
    /** The secrets that the environment does not set; `isFresh` if this start generated them. */
    generatedSecrets: Readonly<{ names: readonly SecretName[]; isFresh: boolean }>;
  }
>;

/**
 * The secrets of the environment, and missing ones from DATA_DIR, where they are created unless `isCreating` is false.
 * Throws {@link ConfigError}.
 */
export function readSecrets(dataDir: string, values: Environment, isCreating = true): Secrets {
  const provided: Record<SecretName, string | undefined> = {
    accessTokenSecret: values.ACCESS_TOKEN_SECRET,
    signingSecret: values.SIGNING_SECRET,
    operatorToken: values.OPERATOR_TOKEN,
  };
  const names = (Object.keys(provided) as SecretName[]).filter((name) => provided[name] === undefined);
  const { secrets, isFresh } =
    names.length > 0 ? storedSecrets(dataDir, isCreating) : { secrets: null, isFresh: false };
  const secretOf = (name: SecretName) => provided[name] ?? secrets![name];
  return {
    accessTokenSecret: secretOf('accessTokenSecret'),
    signingSecret: secretOf('signingSecret'),
    operatorToken: secretOf('operatorToken'),
    previousSigningSecret: values.SIGNING_SECRET_PREVIOUS ?? secrets?.previousSigningSecret ?? null,
    encryptionKeys: values.ENCRYPTION_KEYS ?? storedKeys(dataDir, isCreating),
    generatedSecrets: { names, isFresh },
  };
}

/** Overwrites these secrets in DATA_DIR. Throws {@link ConfigError} where the folder cannot be written. */
export function storeSecrets(dataDir: string, secrets: Partial<StoredSecrets>): void {
  const path = secretsPath(dataDir);
  const partial = `${path}.${process.pid}`;
  const stored = { ...storedSecrets(dataDir).secrets, ...secrets };
  try {
    writeFileSync(partial, `${JSON.stringify(stored, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, path);
  } catch (error) {
    throw unwritable(dataDir, error);
  }
}

/** The encryption keys of DATA_DIR; none if they must not be created there. */
function storedKeys(dataDir: string, isCreating: boolean): readonly string[] {
  if (!isCreating && !existsSync(secretsPath(dataDir))) return [];
  const stored = storedSecrets(dataDir).secrets.encryptionKeys;
  if (stored) return stored;
  const fresh = [random()];
  storeSecrets(dataDir, { encryptionKeys: fresh });
  return fresh;
}

const random = () => randomBytes(32).toString('base64url');

const secretsPath = (dataDir: string) => join(dataDir, 'secrets.json');

function storedSecrets(dataDir: string, isCreating = true): { secrets: StoredSecrets; isFresh: boolean } {
  const path = secretsPath(dataDir);
  const fresh = {
    accessTokenSecret: random(),
    signingSecret: random(),
    operatorToken: random(),
    encryptionKeys: [random()],
  };
  if (!isCreating && !existsSync(path)) return { secrets: fresh, isFresh: true };
  try {
    mkdirSync(dataDir, { recursive: true });
  } catch (error) {
    throw unwritable(dataDir, error);
  }
  try {
    // `wx` fails if the file exists, so that two concurrent first starts use the same secrets.
    writeFileSync(path, `${JSON.stringify(fresh, null, 2)}\n`, { flag: 'wx', mode: 0o600 });
    return { secrets: fresh, isFresh: true };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(dataDir, error);
  }
  const stored = StoredSecrets.safeParse(readJson(path));
  if (!stored.success) throw new ConfigError(`DATA_DIR holds a secrets.json that cannot be read: ${path}.`);
  return { secrets: stored.data, isFresh: false };
}

function unwritable(dataDir: string, error: unknown): ConfigError {
  const reason = (error as Error).message;
  return new ConfigError(`DATA_DIR is "${dataDir}", but that folder cannot be written: ${reason}.`);
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
