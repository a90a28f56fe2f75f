import { setTimeout as wait } from 'node:timers/promises';
import type { ClickHouse } from '../../../platform/clickhouse/client.ts';
import type { Database } from '../../../platform/postgres/client.ts';
import type { Signer } from '../../trackers/signing.ts';
import { formsOfId } from './device-ids.ts';
import {
  type FoundPostback,
  clicksWith,
  countRows,
  eraseRows,
  isErasing,
  monthsOfPostbacks,
  postbacksWith,
} from './erase-device-store.ts';
import { rememberErasedBids } from './erased-ids.ts';
import { NIL } from 'uuid';

/** What a step of an erasure removed. */
export interface RemovedOfDevice {
  /** Postbacks that were deleted, or whose parameters were. */
  postbacks: number;
  /** Events in the app, and their rejections. */
  events: number;
  /** Distinct clicks and views of the device. */
  clicks: number;
  /** Whether nothing of the device was found. */
  isComplete: boolean;
}

/** Dependencies of {@link removeDevice}. */
interface EraseDeps {
  db: Database;
  clickhouse: ClickHouse;
  signer: Pick<Signer, 'read' | 'readInstallToken'>;
}

/** Postbacks that are removed at once. */
const POSTBACKS_AT_ONCE = 500;
/** How long a step waits for ClickHouse to carry it out; the next one waits on. */
const WAIT_MS = 20_000;
const ASK_EVERY_MS = 100;

/** Clicks of one device in {@link LATELY_MS} are fewer: each of them led to a postback. */
const CLICKS_MAX = 50;
const LATELY_MS = 35 * 86_400_000;

/** Whether so many clicks have a text in their latest postbacks that it is no id of one device, but a word, a name or an app. */
export async function isShared(clickhouse: ClickHouse, id: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - LATELY_MS);
  return (await clicksWith(clickhouse, formsOfId(id), { since, limit: CLICKS_MAX + 1 })) > CLICKS_MAX;
}

/**
 * Removes a part of what is stored of a device: of the postbacks that name its id, and all others of the same clicks ({@link clicksOf}), the parameters and
 * the click; the events in the app of those clicks. To be repeated until it is complete, which it also is once the erasure was revoked. Impressions, clicks,
 * installs and what they cost name no device, and stay.
 */
export async function removeDevice(deps: EraseDeps, erasureId: string, id: string): Promise<RemovedOfDevice> {
  const { db, clickhouse } = deps;
  const nothing = { postbacks: 0, events: 0, clicks: 0 };
  if (!(await hasEnded(clickhouse))) return { ...nothing, isComplete: false };
  const found = await findPostbacks(clickhouse, formsOfId(id));
  if (found.length === 0) return { ...nothing, isComplete: true };
  const clicks = clicksOf(deps, found);
  const clickIds = distinct(clicks.map(({ clickId }) => clickId));
  const bidIds = distinct(clicks.map(({ bidId }) => bidId));
  // Before the rows that tell the bids are gone.
  if (!(await rememberErasedBids(db, erasureId, bidIds))) return { ...nothing, isComplete: true };
  const erased = {
    companyIds: distinct(found.map(({ companyId }) => companyId)),
    parameters: distinct(found.map(({ parameters }) => parameters)),
    clickIds,
    bidIds,
    eventIds: distinct(found.map(({ eventId }) => eventId)).filter((eventId) => eventId !== NIL),
  };
  const counts = await countRows(clickhouse, erased);
  await eraseRows(clickhouse, erased);
  await hasEnded(clickhouse);
  return { ...counts, clicks: clickIds.length, isComplete: false };
}

async function findPostbacks(clickhouse: ClickHouse, forms: readonly string[]): Promise<FoundPostback[]> {
  const found: FoundPostback[] = [];
  for (const month of await monthsOfPostbacks(clickhouse)) {
    const limit = POSTBACKS_AT_ONCE - found.length;
    if (limit === 0) break;
    found.push(...(await postbacksWith(clickhouse, forms, { month, limit })));
  }
  return found;
}

/**
 * The clicks that belong to the device of some postbacks: those that the postback's own company signed, and that came to the company's
 * secret address. Anyone may call the address in a link, so there only the install that was counted is believed.
 */
function clicksOf({ signer }: EraseDeps, found: readonly FoundPostback[]) {
  return found.flatMap(({ companyId, clickId, outcome }) => {
    const ref =
      signer.read('click-id', clickId) ??
      (outcome === 'stored' ? signer.readInstallToken(clickId) : undefined);
    return ref?.companyId === companyId ? [{ clickId, bidId: ref.bidId }] : [];
  });
}

async function hasEnded(clickhouse: ClickHouse): Promise<boolean> {
  const untilMs = performance.now() + WAIT_MS;
  while (await isErasing(clickhouse)) {
    if (performance.now() > untilMs) return false;
    await wait(ASK_EVERY_MS);
  }
  return true;
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== '');
}
