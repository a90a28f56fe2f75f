import type { CreativeType } from '@bidwell/contract/creative';
import type { Micros } from '@bidwell/contract/money';
import type { ChargeOn } from '@bidwell/contract/operator';
import type { PriceFault } from './price-fault.ts';

/** Why an event is doubtful; '' when nothing speaks against it. */
export type EventMark = '' | 'bot' | 'datacenter';

/** What happens to a video while it plays, and its end card after it. */
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

/** What happens to a bid after it was sent. One bid yields at most one event of each kind. */
export const EVENT_KINDS = [
  'win',
  'billing',
  'loss',
  'impression',
  'click',
  'install',
  ...VIDEO_EVENTS,
  /** The partner rejected an install that was counted: it takes the install back. */
  'install_rejected',
  /** A notice that names no price, and charges nothing for now: one with a price may follow. */
  'unpriced',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

/** The number of a bid's charge among the numbers of its events; see {@link kindIndexOf}. */
export const CHARGE_INDEX = 16;

/** A kind's number, 0 to 63, where (bid, kind) pairs are remembered. Stored in claims: a kind keeps its number for ever. */
export function kindIndexOf(kind: EventKind): number {
  const index = EVENT_KINDS.indexOf(kind);
  return index < CHARGE_INDEX ? index : index + 1;
}

/** Kinds that a measurement partner reports, up to a month after the bid. */
export const INSTALL_KINDS: readonly EventKind[] = ['install', 'install_rejected'];

/** Why an install is counted and yet not used for training; see docs/delivery.md. */
export type UntrainedReason = 'too_fast' | 'too_late' | 'rate';

/**
 * Everything that is known of a bid when it is made and that reports ask for later. It travels, signed, in every
 * tracker's address, so that a notice needs no look-up and survives a restart.
 */
export interface BidRef {
  /** UUIDv7: unique for each bid, and the time the bid was made. */
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
  /** 0 for what does not play. */
  durationMs: number;
  /** The exchange's slug, as in POST /openrtb/{ssp}. */
  exchange: string;
  chargeOn: ChargeOn;
  /** The publisher's app: package name or numeric store id, lower case. */
  bundle: string;
  os: 'ios' | 'android' | '';
  /** ISO 3166-1 alpha-2, upper case; '' when unknown. */
  country: string;
  /** The bid's price: micros of a dollar per thousand impressions. */
  bidCpmMicros: Micros;
  /** The currency that the exchange counts in (ISO 4217); '' for the dollar. */
  currency: string;
  /** What one unit of it was worth when the bid was made. */
  dollarsPerUnit: number;
  /** The exchange's auction type: 1 first price, 2 second price plus (OpenRTB 2.6, 3.2.1 `at`). */
  auctionType: number;
  /** True for a test request (OpenRTB `test`: 1): counted apart and never billed. */
  test: boolean;
  /** The device's advertising id, only where the request allows it to be kept; else ''. */
  ifa: string;
  /** ISO 639-1 or ''. */
  language: string;
}

/** An event as it is acknowledged and stored. */
export interface DeliveryEvent {
  kind: EventKind;
  /** Unix ms at which the event reached us. */
  atMs: number;
  ref: BidRef;
  /** Money that this event spends, for one impression (not per thousand); 0 for kinds that spend nothing. */
  spendMicros: Micros;
  /** The code of a loss notice (OpenRTB loss reason) or of a video's error (VAST error code), else 0. */
  lossReason: number;
  /** Why it charged no price of its own; absent where it did, or charges nothing anyway. */
  priceFault?: PriceFault;
  /** What makes a click, or the click behind an install, invalid traffic. */
  mark: EventMark;
  /** Set for an install that is counted and not used for training. */
  untrained?: UntrainedReason;
}

/** The signed addresses of one bid. `win`, `billing` and `loss` hold the exchange's price macros unreplaced. */
export interface BidUrls {
  win: string;
  billing: string;
  loss: string;
  impression: string;
  click: string;
  /** The tracker of something that happens to a video. */
  videoEvent: (event: VideoEvent) => string;
  /** The signed id that a measurement partner echoes in its postback. */
  clickId: string;
  /** The token that reports the install of this bid's click; made when it is asked for, since few links hold it. */
  installToken: () => string;
}
