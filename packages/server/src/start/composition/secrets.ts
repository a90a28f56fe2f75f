import { hostname } from 'node:os';
import type { Context } from '../../context.ts';
import { EncryptionKeyMissing } from '../../platform/encryption.ts';
import { repeat } from '../../platform/jobs/repeat.ts';
import { encryptColumns } from '../../platform/postgres/encrypted-columns.ts';
import {
  addProcess,
  removeProcess,
  touchProcess,
} from '../../platform/postgres/stores/process-secrets-store.ts';
import { SecretsDiffer, assertSameSecrets, digestSecrets } from '../../config/secret-digests.ts';
import type { Databases } from './databases.ts';
import type { Lifetime } from './lifetime.ts';

const HEARTBEAT_MS = 20_000;

/**
 * Compares this process's secrets with the secrets of the others on the same database, and records them for processes that start
 * later. Throws SecretsDiffer; where PostgreSQL becomes available only later, a process whose secrets differ stops then.
 */
export async function checkSecrets(
  { config, log, startup, closing }: Lifetime,
  { db, postgres }: Pick<Databases, 'db' | 'postgres'>,
): Promise<void> {
  if (!config.databaseUrl) return;
  const own = await digestSecrets(config);
  // A new process on the same folder replaces the former one, which has ended: the folder is locked.
  const name = `${hostname()}:${config.dataDir}`;
  let isStarting = true;
  const add = async () => {
    try {
      await addProcess(db, name, own.digests, (others) => assertSameSecrets(own, others));
    } catch (error) {
      if (isStarting || !(error instanceof SecretsDiffer)) throw error;
      log.fatal({ err: error }, 'the secrets of this process differ; this process stops');
      process.kill(process.pid, 'SIGTERM');
    }
  };
  const added = await startup.attempt('compare secrets with other processes', add, [postgres]);
  isStarting = false;
  const heartbeat = repeat(HEARTBEAT_MS, 'record that this process runs', log, async () => {
    if (added.isDone() && !(await touchProcess(db, name))) await add();
  });
  closing('secrets', heartbeat, async () => {
    await heartbeat.stop();
    if (added.isDone()) await removeProcess(db, name);
  });
}

/**
 * Encrypts the secrets of the database that are in plain text or encrypted with an earlier key. Throws EncryptionKeyMissing;
 * where PostgreSQL becomes available only later, a process that lacks a key stops then.
 */
export async function encryptSecrets(
  { config, log, startup }: Lifetime,
  { db, postgres }: Pick<Databases, 'db' | 'postgres'>,
  { encryption }: Pick<Context, 'encryption'>,
): Promise<void> {
  let isStarting = true;
  const encrypt = async () => {
    try {
      const { encrypted, cleared } = await encryptColumns(db, encryption, config.lostKeys);
      for (const what of cleared) log.warn(`A key was lost: ${what}.`);
      if (encrypted > 0) log.info({ values: encrypted }, 'secrets of the database were encrypted');
    } catch (error) {
      if (isStarting || !(error instanceof EncryptionKeyMissing)) throw error;
      log.fatal({ err: error }, 'this process lacks an encryption key; it stops');
      process.kill(process.pid, 'SIGTERM');
    }
  };
  await startup.attempt('encrypt the secrets of the database', encrypt, [postgres]);
  isStarting = false;
}
