import type { CreativeType } from '@bidwell/contract/creatives/schema';
import type { Micros } from '@bidwell/contract/lib/money';
import type { ChargeOn } from '@bidwell/contract/operator/schema';

/** Invalid-traffic marking of an event; '' when there is no sign of invalid traffic. */
export type EventMark = '' | 'bot' | 'datacenter';

/** Events of a video and of its end card. */
export const VIDEO_EVENTS = [
  'start',
  'first_quartile',
  'midpoint',
  'third_quartile',
  'complete',
  'mute',
  'unmute',
  'skip',
  'error',
  'end_card',
] as const;
export type VideoEvent = (typeof VIDEO_EVENTS)[number];

/**
 * Kinds of events of a sent bid. A bid has at most one event of each kind, except for events in the app, each of which has an id of
 * its own in place of the bid's.
 */
export const EVENT_KINDS = [
  'win',
  'billing',
  'loss',
  'impression',
  'click',
  'install',
  ...VIDEO_EVENTS,
  /** The partner rejected an install that was counted; revokes the install. */
  'install_rejected',
  /** A notice without a price. It charges nothing; one with a price may follow. */
  'unpriced',
  /** An event in the advertised app, with its revenue, as the partner reports it; see {@link AppEvent}. */
  'app_event',
  /** The partner rejected an event in the app that was counted; revokes it. Has the event's id. */
  'app_event_rejected',
  /** A person who has the app returned to it, by a bid of a re-engagement campaign. Counts once for each bid. */
  'reattribution',
  'reattribution_rejected',
  /** A person who had the app installed it again, by such a bid. */
  'reinstall',
  'reinstall_rejected',
  /** An {@link AppEvent} of such a bid. Its kinds are not of `app_event`, so that no figure of installs can include them. */
  'reengaged_event',
  'reengaged_event_rejected',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** Index of a bid's charge among the indexes of its events; see {@link kindIndexOf}. */
export const CHARGE_INDEX = 16;
/** Index of the price below the bid that the exchange's server has named, among the same. */
export const NAMED_PRICE_INDEX = 63;

/** Index of a kind, 0 to 63, by which (bid, kind) pairs are deduplicated. Stored in claims, so it must never change. */
export function kindIndexOf(kind: EventKind): number {
  const index = EVENT_KINDS.indexOf(kind);
  return index < CHARGE_INDEX ? index : index + 1;
}

/**
 * Kinds reported by measurement partners, up to a month after the time in their id. That time is the time of the bid; for an
 * in-app event, its own time.
 */
export const PARTNER_KINDS: readonly EventKind[] = [
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

const APP_EVENT_KINDS: ReadonlySet<EventKind> = new Set([
  'app_event',
  'app_event_rejected',
  'reengaged_event',
  'reengaged_event_rejected',
]);

/** Whether events of a kind have an {@link AppEvent}. */
export const isAppEventKind = (kind: EventKind): boolean => APP_EVENT_KINDS.has(kind);

/** Why an install is counted but not used for training; see docs/delivery.md. */
export type UntrainedReason = 'too_fast' | 'too_late' | 'rate';

/**
 * The properties of a bid that reports need later. Every tracking URL carries them, signed, so that a notice needs no
 * look-up and works across restarts.
 */
export interface BidRef {
  /** UUIDv7, which contains the time of the bid. */
  bidId: string;
  companyId: string;
  appId: string;
  campaignId: string;
  adsetId: string;
  creativeId: string;
  creativeGroupId: string;
  creativeType: CreativeType;
  width: number;
  height: number;
  /** 0 unless it is a video. */
  durationMs: number;
  /** The exchange's slug, as in POST /openrtb/{ssp}. */
  exchange: string;
  chargeOn: ChargeOn;
  /** The publisher's app: package name or numeric store id, lower case. */
  bundle: string;
  os: 'ios' | 'android' | '';
  /** ISO 3166-1 alpha-2, upper case; '' when unknown. */
  country: string;
  /** Price of the bid at the exchange, without the margin; micros of a dollar per thousand impressions. */
  bidCpmMicros: Micros;
  /**
   * The value of the impression to the ad set, in the same terms as the bid, where shading lowered the bid; absent
   * otherwise, and in events of earlier releases.
   */
  valueCpmMicros?: Micros | undefined;
  /** The company's margin on the media cost at the time of the bid, in basis points. */
  marginBasisPoints: number;
  /** Currency of the bid (ISO 4217); '' for the dollar. */
  currency: string;
  /** Dollars per unit of that currency at the time of the bid. */
  dollarsPerUnit: number;
  /** The exchange's auction type: 1 first price, 2 second price plus (OpenRTB 2.6, 3.2.1 `at`). */
  auctionType: number;
  /** True for a test request (OpenRTB `test`: 1): counted separately and never billed. */
  test: boolean;
  /** True for a bid of a re-engagement campaign; absent otherwise, and in events of earlier releases. */
  reEngagement?: true | undefined;
  /** Advertising id of the device; '' unless the request allows its use. */
  ifa: string;
  /** ISO 639-1; '' when unknown. */
  language: string;
  /**
   * Key of the person, of a bid of an ad set with frequency caps: sixteen hexadecimal digits. Absent for other bids, and where no id
   * identifies the person.
   */
  personKey?: string | undefined;
}

/** An event in the advertised app, as the measurement partner reported it. */
export interface AppEvent {
  name: string;
  /** In dollars, negative for a refund; absent where there is no amount, or it or the rate of its currency is not known. */
  revenueMicros?: Micros;
  /** The amount in units of its currency, or as sent where it cannot be read; '' for none. */
  amount: string;
  /** ISO 4217; '' where the partner named none. */
  currency: string;
  /** Unix ms; the time of arrival where the partner did not report it. */
  eventAtMs: number;
  /** Unix ms; absent when unknown. */
  installAtMs?: number;
  /** Whether the revenue is of ads that the app showed. */
  isAdRevenue: boolean;
  /** The bid of the click or impression that it is attributed to. */
  clickBidId: string;
}

/** An event of a bid, as acknowledged and stored. */
export interface DeliveryEvent {
  kind: EventKind;
  /** Time of arrival, Unix ms. */
  atMs: number;
  /** The bid. For an in-app event, it has the event's own id in place of the bid's. */
  ref: BidRef;
  /** The charge to the advertiser for this event, for one impression (not a thousand). 0 for kinds without spend. */
  spendMicros: Micros;
  /** The part of it that is margin; the rest is the media cost. Absent for none. */
  marginMicros?: Micros;
  /** Code of a loss notice (OpenRTB loss reason) or of a video's error (VAST error code); otherwise 0. */
  lossReason: number;
  /**
   * The lowest price that would have won, in the terms of `bidCpmMicros`: above the bid in a loss notice, at most the bid in notices of won
   * bids; absent where it is not known.
   */
  minToWinCpmMicros?: Micros;
  /** True for the charge of an event from a device, which is the bid's price unless the exchange's server named a lower one. */
  isUnconfirmed?: boolean;
  /**
   * The price that a notice of the exchange's server named for a bid which a device's event charges, in the terms of
   * `bidCpmMicros` and below it; absent otherwise.
   */
  namedCpmMicros?: Micros;
  /** True where the event charges only the amount by which its price exceeds an earlier charge for the impression. */
  isTopUp?: boolean;
  /** Why the price in the notice was not charged, or did not lower a charge; absent when it did, or has no influence. */
  priceFault?: PriceFault;
  /** That price as a text for operators; absent without a fault, and where the notice had none. */
  priceText?: string;
  /** Invalid-traffic marking of a click, or of the click that an install is attributed to. */
  mark: EventMark;
  /** Set for an install that is counted but not used for training. */
  untrained?: UntrainedReason;
  /** Present only for the kinds of {@link isAppEventKind}. */
  app?: AppEvent;
}

/** Signed URLs of one bid. `win`, `billing` and `loss` contain the exchange's macros, not yet replaced. */
export interface BidUrls {
  win: string;
  billing: string;
  loss: string;
  impression: string;
  click: string;
  /** Tracking URL of a video event. */
  videoEvent: (event: VideoEvent) => string;
  /** Signed id that a measurement partner returns in its postback. */
  clickId: string;
  /** Token that reports the install of this bid's click; created on demand, since few tracking links contain it. */
  installToken: () => string;
}

/** Why the price of a billable notice could not be read. A price of 0 can: it charges nothing. */
const PRICE_FAULTS = [
  'missing',
  'unreplaced_macro',
  'negative',
  'not_a_number',
  'not_decrypted',
  'audit',
] as const;
export type PriceFault = (typeof PRICE_FAULTS)[number];
