import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from './config.ts';
import { keepSecrets } from './config.ts';
import { connectPostgres, migratePostgres } from './platform/postgres/client.ts';
import { isEngineAway } from './platform/engine-away.ts';
import { shareSecrets } from './platform/postgres/secrets-store.ts';

/** A start goes on with the secrets that it has when the database takes longer to say which are shared. */
const PATIENCE_MS = 8000;

/**
 * The configuration with the secrets that every server of this database has, in place of those that this one generated: the
 * first server's. They are kept in DATA_DIR as well, and used while the database is away or slow. Throws what the database
 * throws when it is away at the very first start.
 */
export async function withSharedSecrets(config: Config): Promise<Config> {
  const { databaseUrl, generatedSecrets } = config;
  if (!databaseUrl || generatedSecrets.names.length === 0) return config;
  const asked = askForSecrets(config, databaseUrl);
  if (generatedSecrets.isFresh) return asked;
  const known = asked.catch((error: unknown) => {
    if (isEngineAway(error)) return config;
    throw error;
  });
  return Promise.race([known, pause(PATIENCE_MS, config, { ref: false })]);
}

async function askForSecrets(config: Config, databaseUrl: string): Promise<Config> {
  const { generatedSecrets, signingSecret } = config;
  const own = Object.fromEntries(generatedSecrets.names.map((name) => [name, config[name]]));
  const db = await connectPostgres({ url: databaseUrl });
  try {
    await migratePostgres(db, databaseUrl);
    const shared = await shareSecrets(db, own);
    // Addresses that this server signed before it knew of the others are still read.
    const isOther = !generatedSecrets.isFresh && (shared['signingSecret'] ?? signingSecret) !== signingSecret;
    const adopted = { ...shared, ...(isOther && { previousSigningSecret: signingSecret }) };
    keepSecrets(config.dataDir, adopted);
    return Object.freeze({
      ...config,
      ...adopted,
      ...(config.previousSigningSecret && { previousSigningSecret: config.previousSigningSecret }),
    });
  } finally {
    await db.destroy();
  }
}
