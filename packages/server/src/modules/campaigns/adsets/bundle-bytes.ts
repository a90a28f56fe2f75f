import { bundleFields } from '@bidwell/contract/adsets/fields';
import type { Adset } from '@bidwell/contract/adsets/schema';
import { namesOf } from '@bidwell/contract/lib/fields';
import { adsetApiMessages } from '@bidwell/contract/adsets/api-messages';
import type { Config } from '../../../config/config.ts';
import { Conflict, Invalid } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { sumOfBundleBytes } from './store.ts';

const FIELDS = namesOf(bundleFields);
export type BundleFields = Pick<Adset, (typeof FIELDS)[number]>;

/** Whether an update has a bundle list or the bundle bids. */
export const hasBundles = (update: Partial<BundleFields>): boolean =>
  FIELDS.some((field) => update[field] !== undefined);

/** Size of the bundle lists and bundle bids of an ad set, in bytes of JSON; their bundles are ASCII. */
export const bundleBytesOf = (adset: BundleFields): number =>
  FIELDS.reduce((sum, field) => sum + JSON.stringify(adset[field]).length, 0);

/**
 * Throws Invalid, at the longest of the fields, where bundle lists and bids become longer than an ad set or all ad sets of a
 * company may have. Entries are limited too, but ad sets with long bundles only are large. Lists that do not grow pass. Like
 * the limits of entities, concurrent calls may exceed the limit of the company.
 */
export async function requireBundleRoom(
  config: Config,
  db: Db,
  companyId: string,
  { before, after }: { before: BundleFields | null; after: BundleFields },
): Promise<void> {
  const message = await excess(
    config,
    db,
    companyId,
    before ? bundleBytesOf(before) : 0,
    bundleBytesOf(after),
  );
  if (message === null) return;
  const [longest] = FIELDS.toSorted(
    (a, b) => JSON.stringify(after[b]).length - JSON.stringify(after[a]).length,
  );
  throw new Invalid([{ field: longest!, message }]);
}

/** {@link requireBundleRoom} for a copy, of which the caller names no field. Throws Conflict. */
export async function requireBundleRoomForCopy(
  config: Config,
  db: Db,
  companyId: string,
  original: BundleFields,
): Promise<void> {
  const message = await excess(config, db, companyId, 0, bundleBytesOf(original));
  if (message !== null) throw new Conflict(message);
}

async function excess(
  { bundleBytesMax: max }: Config,
  db: Db,
  companyId: string,
  bytesBefore: number,
  bytes: number,
): Promise<string | null> {
  if (bytes <= bytesBefore || bytes === EMPTY_BYTES) return null;
  if (bytes > max.adset) return adsetApiMessages.adsetBundleBytes(bytes, max.adset);
  const companyBytes = (await sumOfBundleBytes(db, companyId)) - bytesBefore + bytes;
  return companyBytes > max.company ? adsetApiMessages.companyBundleBytes(companyBytes, max.company) : null;
}

const EMPTY_BYTES = bundleBytesOf({ black_list_bundles: [], white_list_bundles: [], bundle_bids: {} });
