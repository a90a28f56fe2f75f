import { EVENT_WINDOW_DAYS_MAX, INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import type { Mmp } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import type { InstallRates } from '../learning/install-rates.ts';
import { implausibleTime } from '../learning/plausibility.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { AppEvent, BidRef, DeliveryEvent, EventKind } from '../model/event.ts';
import type { Outcome } from '../event-log/ingest.ts';
import type { EventWindow } from './event-windows.ts';
import {
  type EventReading,
  readEvent,
  readReEngagement,
  readReinstall,
  revenueMicrosOf,
} from './event-reading.ts';
import { type PostbackParameters, installedAtMs, postbackKind } from './postback-reading.ts';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';
import { createHash } from 'node:crypto';
import { decimalText } from './decimal.ts';

/** Event kinds of a bid that attribution looks up. */
export const ATTRIBUTION_KINDS: readonly EventKind[] = [
  'click',
  'impression',
  'install',
  'install_rejected',
  'app_event',
  'app_event_rejected',
  'reattribution',
  'reattribution_rejected',
  'reinstall',
  'reinstall_rejected',
  'reengaged_event',
  'reengaged_event_rejected',
];

/** Events in the app count until this long after the bid. */
const EVENTS_OF_BID_DAYS = EVENT_WINDOW_DAYS_MAX;

/** A parsed postback, with the bid that it refers to. */
export interface ReadPostback {
  mmp: Mmp;
  /** Unix ms of its arrival. */
  atMs: number;
  /** The bid of its click or view; undefined when it refers to no bid of the company. */
  ref: BidRef | undefined;
  parameters: PostbackParameters;
  /** False for a URL that devices see: it can report an install, but neither revoke one nor report an event in the app. */
  mayTakeBack: boolean;
  /** The event in the app that it is about; undefined for other postbacks, and where it is about no bid of the company's. */
  inApp: InAppEvent | undefined;
  /** The app of the company that a postback without a click id names; '' for none. */
  namedAppId: string;
}

/** An event in the app as read from its postback, and its own id. */
export interface InAppEvent {
  id: string;
  /** The kind of the postback. */
  kind: 'event' | 'retargeting';
  /** What it is for a bid of a re-engagement campaign; null for other bids, and for events in the app. */
  returned: 'reattribution' | 'reinstall' | null;
  reading: EventReading;
}

export interface Decision {
  outcome: PostbackOutcome;
  reason: PostbackReason;
  /** The event in the app that the outcome is of, as it is counted. */
  app?: AppEvent;
}

/** Dependencies of {@link decidePostback}. */
export interface DecisionDeps {
  record: (event: DeliveryEvent) => Promise<Outcome>;
  rates: Pick<InstallRates, 'admitInstall' | 'removeInstall'>;
  /** The event in the app with an id as it was counted. */
  countedEvent: (id: string) => Promise<AppEvent | undefined>;
  /** How long after its bid an event of an app counts. */
  windowOf: (appId: string) => EventWindow;
  /** The name under which an event of an app is counted. */
  admitName: (ref: BidRef, name: string) => Promise<string>;
  /** Dollars per unit of a currency, by the operator's rates. */
  currencyRates: ReadonlyMap<string, number>;
}

/**
 * Decides the outcome of a postback, and records its event. `stored` are the stored events of its bid, and of its event in the
 * app. An install is counted once, if a click or an impression of the bid is stored. A rejection is dated as its install, so that it is
 * subtracted from the same day of reports. A bid of a re-engagement campaign has no installs: they are returns of people who had the app.
 */
export async function decidePostback(
  postback: ReadPostback,
  stored: readonly StoredEvent[],
  deps: DecisionDeps,
): Promise<Decision> {
  const { mmp, parameters, ref, mayTakeBack, inApp, namedAppId } = postback;
  const kind = postbackKind(mmp, parameters);
  const plain = (outcome: PostbackOutcome): Decision => ({ outcome, reason: '' });
  if (namedAppId !== '') return plain('unattributed');
  if (ref?.reEngagement && inApp?.returned) return countReturn(postback, { ref, inApp }, stored, deps);
  if ((kind === 'event' || kind === 'retargeting') && ref && inApp && mayTakeBack)
    return countEvent(postback, { ref, inApp }, stored, deps);
  if (kind === 'event' || kind === 'retargeting') return plain(kind);
  if (kind === 'no_activity') return { outcome: 'event', reason: 'no_activity' };
  if (kind === 'rejected' && ref?.reEngagement)
    return plain(mayTakeBack ? await revokeReturn(ref, stored, deps) : 'rejected');
  if (kind === 'rejected')
    return plain(ref && mayTakeBack ? await revokeInstall(ref, stored, deps) : 'rejected');
  return ref ? countInstall(postback, ref, stored, deps) : plain('unknown_click');
}

/** The event that an install of a bid is attributed to: its click, otherwise its impression. */
export function touchpointOf(stored: readonly StoredEvent[]): StoredEvent | undefined {
  return stored.find(({ kind }) => kind === 'click') ?? stored.find(({ kind }) => kind === 'impression');
}

/** The event in the app that a postback about a bid of the company's is about; undefined for other postbacks. */
export function inAppEventOf(
  { mmp, atMs, parameters }: Pick<ReadPostback, 'mmp' | 'atMs' | 'parameters'>,
  ref: BidRef | undefined,
): InAppEvent | undefined {
  const kind = postbackKind(mmp, parameters);
  if (!ref) return undefined;
  if (ref.reEngagement && kind === 'retargeting')
    // It counts once for each bid, so that it has the bid's id.
    return { id: ref.bidId, kind, returned: 'reattribution', reading: readReEngagement(mmp, parameters) };
  if (ref.reEngagement && kind === 'install') {
    const reading = readReinstall(mmp, parameters);
    return { id: ref.bidId, kind: 'retargeting', returned: 'reinstall', reading };
  }
  if (kind !== 'event' && kind !== 'retargeting') return undefined;
  const reading = kind === 'event' ? readEvent(mmp, parameters) : readReEngagement(mmp, parameters);
  const id = eventIdOf({ companyId: ref.companyId, mmp, clickBidId: ref.bidId, atMs, reading });
  return { id, kind, returned: null, reading };
}

/**
 * Counts an event in the app once, whether its install is counted before, later or never. It takes the mark of the click or
 * impression that it is attributed to, and is recorded with its own id in place of the bid's.
 */
async function countEvent(
  { atMs }: ReadPostback,
  { ref, inApp: { id, reading } }: { ref: BidRef; inApp: InAppEvent },
  stored: readonly StoredEvent[],
  { record, countedEvent, windowOf, admitName, currencyRates }: DecisionDeps,
): Promise<Decision> {
  const { amount, currency, isAdRevenue, installAtMs } = reading;
  const revenueMicros = revenueMicrosOf(reading, currencyRates);
  const app: AppEvent = {
    name: reading.name,
    ...(revenueMicros !== undefined && { revenueMicros }),
    amount,
    currency,
    eventAtMs: plausibleTimeOf(ref.bidId, reading.eventAtMs) ?? atMs,
    ...(installAtMs !== null && { installAtMs }),
    isAdRevenue,
    clickBidId: ref.bidId,
  };
  if (reading.isRejected) {
    const outcome = await revokeEvent({ ref, id }, stored, { record, countedEvent });
    return { outcome, reason: '', app };
  }
  if (atMs - uuidTimeMs(ref.bidId) > EVENTS_OF_BID_DAYS * DAY_MS)
    return { outcome: 'expired', reason: 'after_window', app };
  const kind = ref.reEngagement ? 'reengaged_event' : 'app_event';
  // Partners may report one event for both the install and the return of a person.
  const isCounted = stored.some(
    (event) => (event.kind === 'app_event' || event.kind === 'reengaged_event') && event.bidId === id,
  );
  if (isCounted) return { outcome: 'duplicate', reason: '', app };
  if (isBeforeBid(ref.bidId, reading.eventAtMs))
    return { outcome: 'unattributed', reason: 'before_click', app };
  if (app.eventAtMs - atMs > DAY_MS) return { outcome: 'expired', reason: 'in_future', app };
  const touchpoint = touchpointOf(stored);
  if (!touchpoint) return { outcome: 'no_touchpoint', reason: '', app };
  const { clickDays, viewDays } = windowOf(ref.appId);
  const days = touchpoint.kind === 'click' ? clickDays : viewDays;
  if (app.eventAtMs - uuidTimeMs(ref.bidId) > days * DAY_MS)
    return { outcome: 'expired', reason: 'after_window', app };
  const { mark } = touchpoint;
  const counted = { ...app, name: await admitName(ref, app.name) };
  const outcome = await record({
    kind,
    atMs,
    ref: { ...ref, bidId: id },
    spendMicros: 0,
    lossReason: 0,
    mark,
    app: counted,
  });
  const isRejected = stored.some((event) => event.kind === 'install_rejected' && event.bidId === ref.bidId);
  const reason = isRejected ? 'install_rejected' : mark || (reading.unreadTime === '' ? '' : 'time_unread');
  return { outcome, reason: reasonOf(outcome, reason), app: counted };
}

/** Why an event in the app that was handed on has its outcome. */
function reasonOf(outcome: Outcome, ifStored: PostbackReason): PostbackReason {
  if (outcome === 'stored') return ifStored;
  return outcome === 'duplicate' ? '' : 'reported_late';
}

/**
 * Takes back an event in the app that was counted for the same click, with any amount in the rejection. The rejection gets the
 * date, name and revenue of that event, so that it is subtracted from the same figures.
 */
async function revokeEvent(
  { ref, id }: { ref: BidRef; id: string },
  stored: readonly StoredEvent[],
  { record, countedEvent }: Pick<DecisionDeps, 'record' | 'countedEvent'>,
): Promise<PostbackOutcome> {
  const ofEvent = stored.filter(({ bidId }) => bidId === id);
  const [kind, rejection] = ref.reEngagement
    ? (['reengaged_event', 'reengaged_event_rejected'] as const)
    : (['app_event', 'app_event_rejected'] as const);
  const counted = ofEvent.find((event) => event.kind === kind);
  if (!counted || ofEvent.some((event) => event.kind === rejection)) return 'rejected';
  const app = await countedEvent(id);
  if (app?.clickBidId !== ref.bidId) return 'rejected';
  const { atMs, mark } = counted;
  const outcome = await record({
    kind: rejection,
    atMs,
    ref: { ...ref, bidId: id },
    spendMicros: 0,
    lossReason: 0,
    mark,
    app,
  });
  return outcome === 'stored' ? 'taken_back' : 'rejected';
}

/**
 * Counts the return of a person for a bid of a re-engagement campaign, once for each bid and kind of return, within the app's windows for
 * re-engagement.
 */
async function countReturn(
  { atMs, mayTakeBack }: ReadPostback,
  { ref, inApp: { returned, reading } }: { ref: BidRef; inApp: InAppEvent },
  stored: readonly StoredEvent[],
  { record, windowOf }: DecisionDeps,
): Promise<Decision> {
  const kind = returned ?? 'reattribution';
  const returnedAtMs = plausibleTimeOf(ref.bidId, reading.eventAtMs) ?? atMs;
  const { name, isAdRevenue } = reading;
  const app = { name, amount: '', currency: '', eventAtMs: returnedAtMs, isAdRevenue, clickBidId: ref.bidId };
  const decided = (outcome: PostbackOutcome, reason: PostbackReason = ''): Decision => ({
    outcome,
    reason,
    app,
  });
  if (kind === 'reattribution' && !mayTakeBack) return { outcome: 'retargeting', reason: '' };
  if (reading.isRejected) return decided(await revokeReturn(ref, stored, { record }));
  if (atMs - uuidTimeMs(ref.bidId) > INSTALL_LATENESS_DAYS * DAY_MS)
    return decided('expired', 'after_window');
  if (stored.some((event) => event.kind === kind)) return decided('duplicate');
  if (isBeforeBid(ref.bidId, reading.eventAtMs)) return decided('unattributed', 'before_click');
  const touchpoint = touchpointOf(stored);
  if (!touchpoint) return decided('no_touchpoint');
  const { reEngagementClickDays, reEngagementViewDays } = windowOf(ref.appId);
  const days = touchpoint.kind === 'click' ? reEngagementClickDays : reEngagementViewDays;
  if (returnedAtMs - uuidTimeMs(ref.bidId) > days * DAY_MS) return decided('expired', 'after_window');
  const { mark } = touchpoint;
  const outcome = await record({ kind, atMs, ref, spendMicros: 0, lossReason: 0, mark });
  return decided(outcome, outcome === 'stored' ? mark : '');
}

/** Takes back the return that was counted for a bid: the re-attribution or, without one, the reinstall. */
async function revokeReturn(
  ref: BidRef,
  stored: readonly StoredEvent[],
  { record }: Pick<DecisionDeps, 'record'>,
): Promise<PostbackOutcome> {
  for (const kind of ['reattribution', 'reinstall'] as const) {
    const rejection = `${kind}_rejected` as const;
    const counted = stored.find((event) => event.kind === kind);
    if (!counted || stored.some((event) => event.kind === rejection)) continue;
    const { atMs, mark } = counted;
    const outcome = await record({ kind: rejection, atMs, ref, spendMicros: 0, lossReason: 0, mark });
    return outcome === 'stored' ? 'taken_back' : 'rejected';
  }
  return 'rejected';
}

async function countInstall(
  { atMs, parameters }: ReadPostback,
  ref: BidRef,
  stored: readonly StoredEvent[],
  { record, rates }: DecisionDeps,
): Promise<Decision> {
  // The events of such a bid may have been deleted.
  if (atMs - uuidTimeMs(ref.bidId) > INSTALL_LATENESS_DAYS * DAY_MS)
    return { outcome: 'expired', reason: '' };
  if (stored.some(({ kind }) => kind === 'install')) return { outcome: 'duplicate', reason: '' };
  const touchpoint = touchpointOf(stored);
  if (!touchpoint) return { outcome: 'no_touchpoint', reason: '' };
  const { mark } = touchpoint;
  const kind = touchpoint.kind === 'click' ? 'click' : 'impression';
  const implausible = implausibleTime({ kind, atMs: touchpoint.atMs }, atMs, installedAtMs(parameters));
  // Test and invalid traffic is not used for training, and so does not count towards the plausible rate.
  const isRateLimited = implausible === '' && mark === '' && !ref.test;
  const untrained = implausible || (isRateLimited && !rates.admitInstall(ref, atMs) ? 'rate' : '');
  const outcome = await record({
    kind: 'install',
    atMs,
    ref,
    spendMicros: 0,
    lossReason: 0,
    mark,
    ...(untrained !== '' && { untrained }),
  });
  if (outcome !== 'stored' && isRateLimited && untrained === '') rates.removeInstall(ref, atMs);
  return { outcome, reason: outcome === 'stored' ? mark || untrained : '' };
}

async function revokeInstall(
  ref: BidRef,
  stored: readonly StoredEvent[],
  { record, rates }: DecisionDeps,
): Promise<PostbackOutcome> {
  const install = stored.find(({ kind }) => kind === 'install');
  if (!install) return 'rejected';
  const { atMs, mark, untrained } = install;
  const event = { kind: 'install_rejected', atMs, ref, spendMicros: 0, lossReason: 0, mark } as const;
  const outcome = await record({ ...event, ...(untrained !== '' && { untrained }) });
  if (outcome !== 'stored') return 'rejected';
  if (mark === '' && untrained === '' && !ref.test) rates.removeInstall(ref, atMs);
  return 'taken_back';
}

const DAY_MS = 86_400_000;
/** How far before its bid an event is still dated by its own time, for its id; when it counts is {@link isBeforeBid}. */
const CLOCK_MS = DAY_MS;
/** A bid younger than this dates its events whose time the partner did not report. */
const BID_DATES_DAYS = 30;

/** An event in the app, as its identity needs it. */
interface IdentifiedEvent {
  companyId: string;
  mmp: Mmp;
  /** The bid of its click. */
  clickBidId: string;
  /** Unix ms of the postback's arrival. */
  atMs: number;
  reading: EventReading;
}

/**
 * The id of an event, which is the same whichever tracker receives its postback, and however often: a UUID of version 7 with
 * the event's time, and a hash of its identity in place of the random bits. The identity is the partner's own id of the event
 * or, without one, its click, name, time to the second, amount and currency. An event without a time is dated as its bid or,
 * of a bid of a month ago, as the day of its arrival.
 */
function eventIdOf({ companyId, mmp, clickBidId, atMs, reading }: IdentifiedEvent): string {
  const { uniqueId, wholeName } = reading;
  // Written as 2.5 or 2.50, in cents or not.
  const value = reading.value ? Number(decimalText(reading.value)) || 0 : reading.amount;
  // Of two messages about one event, only one may name the amount 0, or a currency without an amount.
  const isNothing = PARTNERS[mmp].postbacks.push !== undefined && (value === 0 || value === '');
  const amount = isNothing ? '' : value;
  const currency = isNothing ? '' : reading.currency;
  const eventAtMs = plausibleTimeOf(clickBidId, reading.eventAtMs);
  const second = eventAtMs === null ? '' : Math.floor(eventAtMs / 1000);
  const identity =
    uniqueId === ''
      ? [companyId, mmp, 'event', clickBidId, wholeName, second, amount, currency]
      : [companyId, mmp, 'id', uniqueId];
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest();
  hash[0] = 0x70 | (hash[0]! & 0x0f);
  hash[2] = 0x80 | (hash[2]! & 0x3f);
  const time = (eventAtMs ?? dateOf(clickBidId, atMs)).toString(16).padStart(12, '0');
  const rest = hash.toString('hex', 0, 10);
  return `${time.slice(0, 8)}-${time.slice(8)}-${rest.slice(0, 4)}-${rest.slice(4, 8)}-${rest.slice(8)}`;
}

/** How far before the bid of its click or view an event may be dated, for clocks that differ. */
const EARLY_MS = 3_600_000;

/** Whether an event is dated before its click or view, which therefore did not lead to it. */
function isBeforeBid(clickBidId: string, eventAtMs: number | null): boolean {
  return eventAtMs !== null && eventAtMs < uuidTimeMs(clickBidId) - EARLY_MS;
}

/** When an event happened by the partner, to the second; null where it did not say, or names a time before the bid. */
function plausibleTimeOf(clickBidId: string, eventAtMs: number | null): number | null {
  if (eventAtMs === null || eventAtMs < uuidTimeMs(clickBidId) - CLOCK_MS) return null;
  // Partners name the time to the second or more precisely, not always both alike.
  return Math.floor(eventAtMs / 1000) * 1000;
}

function dateOf(clickBidId: string, atMs: number): number {
  const bidMs = uuidTimeMs(clickBidId);
  return atMs - bidMs < BID_DATES_DAYS * DAY_MS ? bidMs : Math.floor(atMs / DAY_MS) * DAY_MS;
}
