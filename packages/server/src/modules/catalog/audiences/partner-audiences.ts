import { audienceApiMessages } from '@bidwell/contract/audiences/api-messages';
import type { AppsFlyerSync } from '@bidwell/contract/audiences/partner-endpoints';
import { limits } from '@bidwell/contract/lib/limits';
import { truncate } from '@bidwell/contract/lib/truncate';
import { isVisibleName } from '@bidwell/contract/lib/visible-name';
import { isHttpUrl } from '@bidwell/contract/lib/wire';
import { messages } from '@bidwell/contract/text/messages';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Invalid, NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { lockCompanyRow } from '../../../platform/postgres/locks.ts';
import { insertOwned, lockOwned } from '../../../platform/postgres/stores/owned-store.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { requireRoom } from '../entity-limits-store.ts';
import { fileAddressFault } from './file-address.ts';
import { queueImport } from './import-queue.ts';
import { saved } from './service.ts';
import { partnerAudienceOf, supersedeSyncs, waitingSyncs } from './store.ts';

const PARTNER = 'appsflyer';

/** Answers AppsFlyer's check of an API key. */
export function checkPartnerKey(_ctx: Context, actor: Actor): { status: 'valid' } {
  requirePermission(actor, 'audience.sync');
  return { status: 'valid' };
}

/** Creates the audience that AppsFlyer names, unless it is there. Throws Conflict at the company's limit. */
export async function createPartnerAudience(
  ctx: Context,
  actor: Actor,
  { name, platform }: { name: string; platform?: string | null | undefined },
): Promise<{ container_id: string }> {
  requirePermission(actor, 'audience.sync');
  // Without spaces, so that no part of the name is taken for one of the platform.
  const key = `${PARTNER} name ${encodeURIComponent(platform?.toLowerCase() ?? '')} ${name}`;
  return { container_id: await findOrCreate(ctx, actor, { key, name }) };
}

/**
 * Queues the import of the file that AppsFlyer names, which replaces all ids. Of several syncs of an audience the newest wins: earlier ones
 * that are not done are given up; one with the same address is the same. Throws Invalid without the address of a file of advertising ids;
 * NotFound for an audience that was deleted here, which stays deleted; Conflict at the company's limit.
 */
export async function syncPartnerAudience(
  ctx: Context,
  actor: Actor,
  { container_id: id, name, ...rest }: AppsFlyerSync,
): Promise<{ container_id: string }> {
  requirePermission(actor, 'audience.sync');
  const { companyId } = actor;
  const address = deviceFileOf(ctx, rest);
  const uuid = isUuid(id)
    ? id.toLowerCase()
    : await findOrCreate(ctx, actor, { key: `${PARTNER} id ${id}`, name: name ?? `AppsFlyer ${id}` });
  await transact(ctx.db, async (tx) => {
    const audience = await lockOwned(tx.db, 'audiences', companyId, uuid);
    if (audience?.kind !== 'partner') throw new NotFound('Audience');
    const waiting = await waitingSyncs(tx.db, companyId, uuid);
    if (waiting.some((one) => one.source_url === address)) return;
    await supersedeSyncs(tx.db, companyId, uuid, ctx.now());
    await queueImport(ctx, tx, audience, { mode: 'replace', source: 'partner', sourceUrl: address });
  });
  return { container_id: id };
}

/** The names of fields with files of advertising ids. AppsFlyer sends files of mail addresses and telephone numbers in others. */
const DEVICE_FILE =
  /^url(?:_(?:adid|advertising_id|device_id|gaid|idfa|maid))?(?:_(?:hashed|md5|sha1|sha256))?$/i;
const HASHED = /_(?:hashed|md5|sha1|sha256)$/i;

/** The address of a file of advertising ids, of plain ones if there are several. Throws Invalid without one, and for what is no such address. */
function deviceFileOf(ctx: Context, fields: Readonly<Record<string, unknown>>): string {
  const [first] = Object.entries(fields)
    .filter(([field, value]) => DEVICE_FILE.test(field) && typeof value === 'string' && value.trim() !== '')
    .sort(([a], [b]) => Number(HASHED.test(a)) - Number(HASHED.test(b))) as [string, string][];
  if (!first) {
    const others = Object.keys(fields).filter((field) => /^url/i.test(field) && !DEVICE_FILE.test(field));
    throw new Invalid([{ field: 'url', message: audienceApiMessages.noDeviceFile(others) }]);
  }
  const [field, value] = first;
  const address = value.trim();
  if (address.length > limits.partnerUrlMax)
    throw new Invalid([{ field, message: audienceApiMessages.addressTooLong(limits.partnerUrlMax) }]);
  const message = isHttpUrl(address) ? fileAddressFault(ctx, address) : messages.httpUrl;
  if (message !== null) throw new Invalid([{ field, message }]);
  return address;
}

/** The id of a company's audience by the key under which a partner knows it, which is created with this name where it is not there. */
async function findOrCreate(
  ctx: Context,
  actor: Actor,
  { key, name }: { key: string; name: string },
): Promise<string> {
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    // Against a second call at once.
    await lockCompanyRow(tx.db, companyId);
    const known = await partnerAudienceOf(tx.db, companyId, key);
    return known ?? insert(ctx, tx, actor, { key, name });
  });
}

async function insert(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  { key, name }: { key: string; name: string },
): Promise<string> {
  const { companyId } = actor;
  await requireRoom(tx.db, companyId, 'audiences');
  const uuid = uuidv7();
  const at = ctx.now();
  const shown = truncate(name.trim(), limits.titleMax);
  await insertOwned(tx.db, 'audiences', companyId, {
    uuid,
    name: isVisibleName(shown) ? shown : 'AppsFlyer',
    description: '',
    kind: 'partner',
    partner_key: key,
    app_uuid: null,
    rule: null,
    source_url: null,
    id_form: 'auto',
    hashed_letters: 'either',
    refresh_after: null,
    refreshed_at: null,
    id_hash: null,
    file_uuid: null,
    created_at: at,
    updated_at: at,
  });
  await saved(ctx, tx, actor, { before: null, uuid });
  return uuid;
}

/** The part of an address in whose place the key belongs that AppsFlyer gives to each network. */
const PLACEHOLDER = /(?:\{\{|%7B%7B)PARTNER_PULL_KEY(?:\}\}|%7D%7D)/gi;
/** The key is the installation's: an address that a company names elsewhere must not get it. */
/** The hosts of its files of audiences. Other hosts of AppsFlyer have links of all advertisers, which would show the key in their reports. */
const KEY_HOSTS = /^audiences?[\w-]*\.appsflyer\.com$/i;

/** The address of a partner's file with the installation's key in its place; null where the key is needed and not set. */
export function withPullKey(address: string, key: string | null): string | null {
  const url = new URL(address);
  const isTheirs = url.protocol === 'https:' && url.port === '' && KEY_HOSTS.test(url.hostname);
  if (!isTheirs || address.search(PLACEHOLDER) < 0 || url.search.search(PLACEHOLDER) >= 0) return address;
  return key === null ? null : address.replaceAll(PLACEHOLDER, encodeURIComponent(key));
}
