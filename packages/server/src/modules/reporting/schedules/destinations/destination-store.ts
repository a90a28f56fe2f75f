import type { Selectable } from 'kysely';
import { anyOf } from '../../../../platform/postgres/client.ts';
import type { ReportDestinationTable } from '../../../../platform/postgres/report-schedule-tables.ts';
import type { Db } from '../../../../platform/postgres/transaction.ts';
import { lockCompanyRow } from '../../../../platform/postgres/locks.ts';
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

/** One of them, locked until the transaction ends. */
export async function lockDestinationRow(
  db: Db,
  companyId: string,
  uuid: string,
): Promise<DestinationRow | undefined> {
  return destinations(db, companyId).where('uuid', '=', uuid).forUpdate().executeTakeFirst();
}

const destinations = (db: Db, companyId: string) =>
  db
    .selectFrom('report_destinations')
    .selectAll()
    .where('company_uuid', '=', companyId)
    .orderBy('created_at')
    .orderBy('uuid');

/** Locks a company until the transaction ends, against two additions at once, and returns the number of its destinations. */
export async function countDestinationsLocked(db: Db, companyId: string): Promise<number> {
  await lockCompanyRow(db, companyId);
  const { count } = await db
    .selectFrom('report_destinations')
    .select((eb) => eb.fn.countAll().as('count'))
    .where('company_uuid', '=', companyId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertDestination(
  db: Db,
  companyId: string,
  row: Omit<DestinationRow, 'company_uuid'>,
): Promise<void> {
  await db
    .insertInto('report_destinations')
    .values({ ...row, company_uuid: companyId })
    .execute();
}

export async function deleteDestinationRow(db: Db, companyId: string, uuid: string): Promise<void> {
  await db
    .deleteFrom('report_destinations')
    .where('company_uuid', '=', companyId)
    .where('uuid', '=', uuid)
    .execute();
}

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
