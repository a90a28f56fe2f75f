import { type AppEvent, type DeliveryEvent, EVENT_KINDS, isAppEventKind } from '../model/event.ts';

/** Encodes an event for the log and the stream. */
export function encodeEvent(event: DeliveryEvent): Buffer {
  return Buffer.from(JSON.stringify(event));
}

/** Decodes what {@link encodeEvent} of this release or an earlier one encoded; null for an invalid record. */
export function decodeEvent(record: Buffer): DeliveryEvent | null {
  let read: unknown;
  try {
    read = JSON.parse(record.toString('utf8'));
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  const event = read as DeliveryEvent & { unverified?: boolean };
  // Earlier releases marked events that they had not looked up.
  if (event.unverified !== undefined) delete event.unverified;
  if (!isEvent(event)) return null;
  // Earlier releases had no margin.
  event.ref.marginBasisPoints ??= 0;
  return event;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const kinds: ReadonlySet<string> = new Set(EVENT_KINDS);

/** Whether the databases accept the event: an invalid one must not fail the others of its batch. */
function isEvent({
  kind,
  atMs,
  ref,
  spendMicros,
  marginMicros = 0,
  lossReason,
  minToWinCpmMicros = 0,
  namedCpmMicros = 0,
  app,
}: DeliveryEvent): boolean {
  if (!kinds.has(kind) || typeof ref !== 'object' || ref === null) return false;
  return (
    isUuid(ref.bidId) &&
    isUuid(ref.companyId) &&
    isUuid(ref.appId) &&
    isUuid(ref.campaignId) &&
    isUuid(ref.adsetId) &&
    isUuid(ref.creativeId) &&
    isUuid(ref.creativeGroupId) &&
    Number.isSafeInteger(atMs) &&
    Number.isSafeInteger(spendMicros) &&
    Number.isSafeInteger(marginMicros) &&
    Number.isSafeInteger(lossReason) &&
    Number.isSafeInteger(minToWinCpmMicros) &&
    Number.isSafeInteger(namedCpmMicros) &&
    isAppEventKind(kind) === (app !== undefined) &&
    (app === undefined || isAppEvent(app))
  );
}

function isAppEvent(app: AppEvent): boolean {
  if (typeof app !== 'object' || app === null) return false;
  const { name, amount, currency, revenueMicros = 0, eventAtMs, installAtMs = 0, clickBidId } = app;
  return (
    [name, amount, currency].every((text) => typeof text === 'string') &&
    [revenueMicros, eventAtMs, installAtMs].every((number) => Number.isSafeInteger(number)) &&
    isUuid(clickBidId)
  );
}

function isUuid(id: unknown): boolean {
  return typeof id === 'string' && UUID.test(id);
}
