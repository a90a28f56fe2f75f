import { EVENT_WINDOW_DAYS_MAX, INSTALL_LATENESS_DAYS } from '@bidwell/contract/apps/event-settings';
import type { Mmp } from '@bidwell/contract/apps/schema';
import type { PostbackOutcome, PostbackReason } from '@bidwell/contract/postbacks/schema';
import type { InstallRates } from '../learning/install-rates.ts';
import { implausibleTime } from '../learning/plausibility.ts';
import type { StoredEvent } from '../event-store/event-store.ts';
import type { AppEvent, BidRef, DeliveryEvent, EventKind } from '../model/event.ts';
import type { Outcome } from '../event-log/ingest.ts';
import { eventIdOf, isBeforeBid, plausibleTimeOf } from './event-id.ts';
import type { EventWindow } from './event-window-store.ts';
import { type EventReading, readEvent, readReEngagement, revenueMicrosOf } from './event-reading.ts';
import { type PostbackParameters, installedAtMs, postbackKind } from './postback-reading.ts';
import { uuidTimeMs } from '../event-log/deduplication-window.ts';

const DAY_MS = 86_400_000;

/** Event kinds of a bid that attribution looks up. */
export const ATTRIBUTION_KINDS: readonly EventKind[] = [
  'click',
  'impression',
  'install',
  'install_rejected',
  'app_event',
  'app_event_rejected',
];

/** Events in the app count until this long after the bid. */
const EVENTS_OF_BID_DAYS = EVENT_WINDOW_DAYS_MAX;

/** A parsed postback, with the bid that it refers to. */
export interface ReadPostback {
  mmp: Mmp;
  /** Unix ms of its arrival. */
  atMs: number;
  /** The bid of its click or view; undefined when it refers to none of the company's. */
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
  /** Of the postback. */
  kind: 'event' | 'retargeting';
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
 * subtracted from the same day of reports.
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
  if ((kind === 'event' || kind === 'retargeting') && ref && inApp && mayTakeBack)
    return countEvent(postback, { ref, inApp }, stored, deps);
  if (kind === 'event' || kind === 'retargeting') return plain(kind);
  if (kind === 'no_activity') return { outcome: 'event', reason: 'no_activity' };
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
  if (!ref || (kind !== 'event' && kind !== 'retargeting')) return undefined;
  const reading = kind === 'event' ? readEvent(mmp, parameters) : readReEngagement(mmp, parameters);
  const id = eventIdOf({ companyId: ref.companyId, mmp, clickBidId: ref.bidId, atMs, reading });
  return { id, kind, reading };
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
  if (stored.some(({ bidId, kind }) => kind === 'app_event' && bidId === id))
    return { outcome: 'duplicate', reason: '', app };
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
    kind: 'app_event',
    atMs,
    ref: { ...ref, bidId: id },
    spendMicros: 0,
    lossReason: 0,
    mark,
    app: counted,
  });
  const isRejected = stored.some(({ bidId, kind }) => kind === 'install_rejected' && bidId === ref.bidId);
  const reason = isRejected ? 'install_rejected' : mark || (reading.unreadTime === '' ? '' : 'time_unread');
  return { outcome, reason: reasonOf(outcome, reason), app: counted };
}

/** Why an event in the app that was handed on has its outcome. */
function reasonOf(outcome: Outcome, ifStored: PostbackReason): PostbackReason {
  if (outcome === 'stored') return ifStored;
  return outcome === 'duplicate' ? '' : 'reported_late';
}

/**
 * Takes back an event in the app that was counted for the same click, whatever amount the rejection names. It is dated as that
 * event, and has its name and revenue, so that it is subtracted from the same figures.
 */
async function revokeEvent(
  { ref, id }: { ref: BidRef; id: string },
  stored: readonly StoredEvent[],
  { record, countedEvent }: Pick<DecisionDeps, 'record' | 'countedEvent'>,
): Promise<PostbackOutcome> {
  const ofEvent = stored.filter(({ bidId }) => bidId === id);
  const counted = ofEvent.find(({ kind }) => kind === 'app_event');
  if (!counted || ofEvent.some(({ kind }) => kind === 'app_event_rejected')) return 'rejected';
  const app = await countedEvent(id);
  if (app?.clickBidId !== ref.bidId) return 'rejected';
  const { atMs, mark } = counted;
  const outcome = await record({
    kind: 'app_event_rejected',
    atMs,
    ref: { ...ref, bidId: id },
    spendMicros: 0,
    lossReason: 0,
    mark,
    app,
  });
  return outcome === 'stored' ? 'taken_back' : 'rejected';
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
