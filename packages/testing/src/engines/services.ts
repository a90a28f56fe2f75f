import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { natsServer } from './nats-server.ts';

/** The variable by which {@link publishServices} reaches the processes that run tests. */
const VARIABLE = 'TEST_SERVICES';

/** The services that all tests of a run share. */
export interface SharedServices {
  /** URL of a migrated, empty database, which is copied for each server. */
  templateUrl: string;
  /** The settings of the S3-compatible server, and the folder of its bucket. */
  s3: Record<string, string>;
  bucketFolder: string;
}

/** Environment variables of one server under test. */
export interface OwnServices {
  environment: Record<string, string>;
  /** Removes the database and stops NATS; the server is closed by then. */
  remove(): Promise<void>;
}

/** Makes test servers use the services, in processes that are started from now on; null ends that. */
export function publishServices(services: SharedServices | null): void {
  if (services) process.env[VARIABLE] = JSON.stringify(services);
  else delete process.env[VARIABLE];
}

/**
 * A database, a folder of the bucket and a NATS server for one server under test: a server reads everything in its database,
 * and listens to all that is published. Null where the run has no services, and servers use embedded engines.
 */
export async function ownServices(): Promise<OwnServices | null> {
  const shared = publishedServices();
  if (!shared) return null;
  const { templateUrl, s3 } = shared;
  const template = new URL(templateUrl).pathname.slice(1);
  const name = `test_${randomBytes(8).toString('hex')}`;
  const nats = await natsServer();
  if (!nats) throw new Error('NATS is missing.');
  await run(templateUrl, `create database ${name} template ${template}`);
  return {
    environment: {
      DATABASE_URL: urlOf(templateUrl, name),
      NATS_URL: `nats://127.0.0.1:${nats.port}`,
      ...s3,
      S3_PREFIX: name,
    },
    async remove() {
      await nats.stop();
      await run(templateUrl, `drop database ${name} with (force)`);
    },
  };
}

/** The folder of the bucket of the S3-compatible server. */
export const bucketFolder = (): string => publishedServices()!.bucketFolder;

function publishedServices(): SharedServices | null {
  const published = process.env[VARIABLE];
  return published ? (JSON.parse(published) as SharedServices) : null;
}

function urlOf(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = name;
  return other.href;
}

/** Runs a statement in the server's own database: a template with connections cannot be copied. */
async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client(urlOf(url, 'postgres'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
