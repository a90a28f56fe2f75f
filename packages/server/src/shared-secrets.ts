import type { Config } from './config.ts';
import { keepSecrets } from './config.ts';
import { connectPostgres, migratePostgres } from './platform/postgres/client.ts';
import { isEngineAway } from './platform/engine-away.ts';
import { shareSecrets } from './platform/postgres/secrets-store.ts';

/**
 * The configuration with the secrets that every server of this database has, in place of those that this one generated: the
 * first server's. They are kept in DATA_DIR as well, and used while the database is away. Throws what the database throws
 * when it is away at the very first start.
 */
export async function withSharedSecrets(config: Config): Promise<Config> {
  const { databaseUrl, generatedSecrets } = config;
  if (!databaseUrl || generatedSecrets.names.length === 0) return config;
  const own = Object.fromEntries(generatedSecrets.names.map((name) => [name, config[name]]));
  const db = await connectPostgres({ url: databaseUrl });
  try {
    await migratePostgres(db, databaseUrl);
    const shared = await shareSecrets(db, own);
    const { signingSecret } = config;
    // Addresses that this server signed before it knew of the others are still read.
    const isOther = !generatedSecrets.isFresh && (shared['signingSecret'] ?? signingSecret) !== signingSecret;
    const adopted = { ...shared, ...(isOther && { previousSigningSecret: signingSecret }) };
    keepSecrets(config.dataDir, adopted);
    return Object.freeze({
      ...config,
      ...adopted,
      ...(config.previousSigningSecret && { previousSigningSecret: config.previousSigningSecret }),
    });
  } catch (error) {
    if (isEngineAway(error) && !generatedSecrets.isFresh) return config;
    throw error;
  } finally {
    await db.destroy();
  }
}
