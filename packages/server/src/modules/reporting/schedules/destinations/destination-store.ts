import type { Selectable } from 'kysely';
import { anyOf } from '../../../../platform/postgres/client.ts';
import type { ReportDestinationTable } from '../../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../../platform/postgres/transaction.ts';
import { z } from 'zod';
import type { Context } from '../../../../context.ts';
import type { Place } from '../../../../platform/encryption.ts';

export type DestinationRow = Selectable<ReportDestinationTable>;

/** The destinations of a company, in the order of their creation. */
export async function listDestinationRows(db: Db, companyId: string): Promise<DestinationRow[]> {
  return destinations(db, companyId).execute();
}

/** The given destinations that the company has. */
export async function findDestinationRows(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<DestinationRow[]> {
  return destinations(db, companyId).where('uuid', '=', anyOf(ids)).execute();
}

/** The same, locked against their removal until the transaction ends. */
export async function keepDestinationRows(
  db: Db,
  companyId: string,
  ids: readonly string[],
): Promise<DestinationRow[]> {
  return destinations(db, companyId).where('uuid', '=', anyOf(ids)).forKeyShare().execute();
}

const destinations = (db: Db, companyId: string) =>
  db
    .selectFrom('report_destinations')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at')
    .orderBy('uuid');

/** Where the secret of a destination is stored. */
export function destinationSecretPlace(uuid: string): Place {
  return { table: 'report_destinations', column: 'secret', row: uuid };
}

/** The secret of a destination in plain text; null where its encryption key was lost. */
export function secretOf(
  { encryption }: Pick<Context, 'encryption'>,
  { uuid, secret }: Pick<DestinationRow, 'uuid' | 'secret'>,
): string | null {
  return secret === null ? null : encryption.decrypt(secret, destinationSecretPlace(uuid));
}

/** The stored keys that sign requests to S3. */
const S3Keys = z.object({ accessKeyId: z.string(), secretAccessKey: z.string() });

export type S3Keys = z.infer<typeof S3Keys>;

/** The keys in the secret of an S3 bucket. */
export function s3KeysOf(secret: string): S3Keys {
  return S3Keys.parse(JSON.parse(secret));
}
