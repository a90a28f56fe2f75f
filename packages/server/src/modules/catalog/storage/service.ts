import { creativeApiMessages } from '@bidwell/contract/creatives/api-messages';
import type { Storage } from '@bidwell/contract/storage/schema';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { Db, Tx } from '../../../platform/postgres/transaction.ts';
import { sql } from 'kysely';
import { anyOf } from '../../../platform/postgres/client.ts';

type StorageContext = Pick<Context, 'config'> & { db: Db };

/** The storage of companies' files, by company. */
export async function storageOf(
  { db, config }: StorageContext,
  companyIds: readonly string[],
): Promise<ReadonlyMap<string, Storage>> {
  const { before, after } = config.storageQuotaBytes;
  const rows = await storageRows(db, companyIds);
  return new Map(
    rows.map(({ uuid, usedBytes, ownQuotaBytes, hasApproved }) => [
      uuid,
      {
        used_bytes: usedBytes,
        quota_bytes: ownQuotaBytes ?? (hasApproved ? after : before),
        quota_after_approval_bytes: ownQuotaBytes === null && !hasApproved && after > before ? after : null,
      },
    ]),
  );
}

/** The storage of the actor's company. Throws NotFound. */
export async function readStorage(ctx: StorageContext, actor: Actor): Promise<Storage> {
  requirePermission(actor, 'storage.read');
  return storageOfCompany(ctx, actor);
}

async function storageOfCompany(ctx: StorageContext, { companyId }: Owner): Promise<Storage> {
  const storage = (await storageOf(ctx, [companyId])).get(companyId);
  if (!storage) throw new NotFound('Company');
  return storage;
}

/**
 * Throws Invalid, on `field` if there is one, where files of `bytes` do not fit in addition to the files that the company
 * has, without the `replaced` bytes of files that they replace. A change that does not grow passes, also above the quota.
 */
export async function requireStorage(
  ctx: StorageContext,
  owner: Owner,
  { bytes, replaced = 0, field }: { bytes: number; replaced?: number; field?: string },
): Promise<void> {
  if (bytes <= replaced) return;
  const storage = await storageOfCompany(ctx, owner);
  if (storage.used_bytes - replaced + bytes <= storage.quota_bytes) return;
  const message = creativeApiMessages.storageFull(storage);
  throw new Invalid(field === undefined ? [] : [{ field, message }], message);
}

/** The same, in the transaction that stores the files: one upload of the company after another, each with those before it. */
export async function takeStorage(
  { config }: Pick<Context, 'config'>,
  { db }: Pick<Tx, 'db'>,
  owner: Owner,
  need: Parameters<typeof requireStorage>[2],
): Promise<void> {
  await lockStorage(db, owner.companyId);
  await requireStorage({ config, db }, owner, need);
}

/** The figures from which the storage of a company is computed. */
interface StorageRow {
  uuid: string;
  usedBytes: number;
  /** The quota that operators set; null for the quota of the settings. */
  ownQuotaBytes: number | null;
  /** Whether one of its apps is approved, or was. */
  hasApproved: boolean;
}

/** The storage of companies, in any order; several, since operators list them. */
async function storageRows(db: Db, companyIds: readonly string[]): Promise<StorageRow[]> {
  const { rows } = await sql<StorageRow>`
    select c.uuid, c.storage_quota_bytes::float8 as "ownQuotaBytes",
      (select coalesce(sum(f.size_bytes), 0)::float8 from files f where f.company_uuid = c.uuid) as "usedBytes",
      exists (select 1 from apps a where a.company_uuid = c.uuid
        and (a.status = 'Approved' or a.approved is not null)) as "hasApproved"
    from companies c where c.uuid = ${anyOf(companyIds)}`.execute(db);
  return rows;
}

/** Makes others that store files of the company wait until the transaction ends. */
async function lockStorage(db: Db, companyId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('storage ' || ${companyId}::text, 0))`.execute(db);
}
