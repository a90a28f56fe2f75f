import { apiMessages } from '@bidwell/contract/messages';
import type { Storage } from '@bidwell/contract/storage';
import type { Engines } from '../../engines.ts';
import type { Actor } from '../../platform/actor.ts';
import { Invalid, NotFound } from '../../platform/errors.ts';
import { storageRows } from './store.ts';

/** The storage of companies' files, by company. */
export async function storageOf(
  { db, config }: Engines,
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
export async function readStorage(engines: Engines, { companyId }: Actor): Promise<Storage> {
  const storage = (await storageOf(engines, [companyId])).get(companyId);
  if (!storage) throw new NotFound('Company');
  return storage;
}

/**
 * Throws Invalid, on `field` if there is one, where files of `bytes` do not fit beside those that the company has, without
 * the `replaced` bytes of files that they replace. What does not grow passes, also above the quota. Like the
 * limits of entities, concurrent uploads may exceed the quota by their files.
 */
export async function requireStorage(
  engines: Engines,
  actor: Actor,
  { bytes, replaced = 0, field }: { bytes: number; replaced?: number; field?: string },
): Promise<void> {
  if (bytes <= replaced) return;
  const storage = await readStorage(engines, actor);
  if (storage.used_bytes - replaced + bytes <= storage.quota_bytes) return;
  const message = apiMessages.storageFull(storage);
  throw new Invalid(field === undefined ? [] : [{ field, message }], message);
}
