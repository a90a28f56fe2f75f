import { apiMessages } from '@bidwell/contract/text/messages';
import type { Storage } from '@bidwell/contract/storage/schema';
import type { Context } from '../../../context.ts';
import type { Actor, Owner } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import type { Db, Tx } from '../../../platform/postgres/transaction.ts';
import { lockStorage, storageRows } from './store.ts';

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
 * Throws Invalid, on `field` if there is one, where files of `bytes` do not fit beside those that the company has, without
 * the `replaced` bytes of files that they replace. What does not grow passes, also above the quota.
 */
export async function requireStorage(
  ctx: StorageContext,
  owner: Owner,
  { bytes, replaced = 0, field }: { bytes: number; replaced?: number; field?: string },
): Promise<void> {
  if (bytes <= replaced) return;
  const storage = await storageOfCompany(ctx, owner);
  if (storage.used_bytes - replaced + bytes <= storage.quota_bytes) return;
  const message = apiMessages.storageFull(storage);
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
