import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '@bidwell/server/platform/postgres/client';
import { postgresEngine, s3Engine } from '../cluster/engines.ts';
import { freePorts } from '../cluster/ports.ts';
import { publishServices } from './services.ts';

/** Starts PostgreSQL and an S3-compatible server for the tests of a run. Resolves to the function that stops them. */
export default async function startServices(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'bidwell-services-'));
  // PostgreSQL runs as another user.
  await chmod(folder, 0o711);
  const [postgresPort, s3Port] = await freePorts(2);
  const postgres = postgresEngine(join(folder, 'postgres'), postgresPort!);
  const s3 = s3Engine(join(folder, 's3'), s3Port!);
  const stop = async () => {
    publishServices(null);
    await Promise.all([postgres, s3].map((engine) => engine.process.stop()));
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  try {
    await Promise.all([postgres, s3].map((engine) => engine.process.start()));
    const templateUrl = postgres.environment(postgresPort!)['DATABASE_URL']!;
    const db = await openPostgres({ url: templateUrl });
    await db.destroy();
    const settings = s3.environment(s3Port!);
    publishServices({
      templateUrl,
      s3: settings,
      bucketFolder: join(folder, 's3', settings['S3_BUCKET']!),
    });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}
