import type { Micros } from '@bidwell/contract/lib/money';
import type { Counter } from 'prom-client';
import type { Tally } from '../../platform/telemetry/metrics.ts';
import {
  type BidRef,
  type EventKind,
  type EventMark,
  VIDEO_EVENTS,
  type VideoEvent,
} from '../model/event.ts';
import type { Ingest, Outcome } from '../event-log/ingest.ts';
import { type PriceRules, isFromDevice } from '../model/price-rules.ts';
import { chargeOf, chargesAt, exampleOf, namedCpm, type ReadingRules, readPrice } from './price.ts';
import type { Purpose } from './bid-payload.ts';
import type { Signer } from './signer.ts';

/** Dependencies of {@link acceptor}. */
export interface AcceptDeps {
  ingest: Pick<Ingest, 'record'>;
  signer: Signer;
  /** Price format and keys of an exchange. */
  priceRules: (exchange: string) => PriceRules;
  now: () => Date;
  /** Labels kind and outcome (stored, duplicate, expired, invalid). */
  counter: Tally;
  /** Stored events whose price decides a charge and cannot be used; labels ssp and reason. */
  unpriced: Counter<'ssp' | 'reason'>;
}

export type TrackedKind = Exclude<
  EventKind,
  | 'install'
  | 'install_rejected'
  | 'unpriced'
  | 'app_event'
  | 'app_event_rejected'
  | 'reattribution'
  | 'reattribution_rejected'
  | 'reinstall'
  | 'reinstall_rejected'
  | 'reengaged_event'
  | 'reengaged_event_rejected'
>;

/** A request of a tracker's address. */
export interface Tracked {
  kind: TrackedKind;
  token: string;
  /** True for requests that are no events: a link checker's HEAD, or a browser's prefetch. */
  isQuestion: boolean;
  /** Returns a query parameter. */
  value: (name: string) => string | undefined;
  /** Mark of invalid traffic; '' for none. */
  mark: EventMark;
}

/** Stores the event of a tracker's address, or returns the reason why not. Throws Unavailable. */
export type Accept = (tracked: Tracked) => Promise<[Outcome | 'invalid', BidRef?]>;

export function acceptor(deps: AcceptDeps): Accept {
  const { ingest, signer, now, counter } = deps;

  async function record(ref: BidRef, { kind, value, mark }: Tracked): Promise<Outcome> {
    const rules = deps.priceRules(ref.exchange);
    const price = chargesAt(ref.chargeOn, kind) ? value('price') : undefined;
    const {
      spendMicros,
      marginMicros,
      isOpen,
      isUnconfirmed,
      fault: own,
    } = chargeOf(kind, ref, price, rules);
    const lossReason = codeOf(kind, value);
    const minToWinCpmMicros = minToWin(kind, ref, lossReason, value);
    const named = namedCpm(kind, ref, () => value('price'), rules);
    const fault = own ?? named.fault;
    const priceText = fault && exampleOf(value('price'));
    const outcome = await ingest.record({
      // An event without a price is stored as `unpriced`, so that a later notice with a price is no duplicate.
      kind: isOpen ? 'unpriced' : kind,
      atMs: now().getTime(),
      // Only the redirect of a click needs the advertising id: it is stored nowhere.
      ref: ref.ifa === '' ? ref : { ...ref, ifa: '' },
      spendMicros,
      ...(marginMicros > 0 && { marginMicros }),
      ...(isUnconfirmed && { isUnconfirmed }),
      ...(named.cpmMicros !== undefined && { namedCpmMicros: named.cpmMicros }),
      lossReason,
      ...(minToWinCpmMicros !== undefined && { minToWinCpmMicros }),
      ...(fault && { priceFault: fault }),
      ...(priceText !== undefined && { priceText }),
      mark,
    });
    if (outcome === 'stored' && fault) deps.unpriced.inc({ ssp: ref.exchange, reason: fault });
    return outcome;
  }

  function minToWin(
    kind: TrackedKind,
    ref: BidRef,
    lossReason: number,
    value: Tracked['value'],
  ): Micros | undefined {
    if (kind !== 'win' && kind !== 'billing' && kind !== 'loss') return undefined;
    const rules = deps.priceRules(ref.exchange);
    // A device can change what it reports.
    if (isFromDevice(kind, rules)) return undefined;
    const reported = value('mtw');
    if (kind !== 'loss') return minToWinOfWon(readReported(reported, rules), ref);
    return minToWinOfLost(
      { lossReason, minToWin: readReported(reported, rules), price: value('price') },
      ref,
      rules,
    );
  }

  return async (tracked) => {
    const { kind, token, isQuestion } = tracked;
    const ref = signer.read(purposeOf(kind), token);
    const outcome = !ref ? 'invalid' : isQuestion ? 'duplicate' : await record(ref, tracked);
    counter.inc(kind, outcome);
    return [outcome, ref];
  };
}

/** The exchange's loss reason, or the player's error code; 0 without a valid one. */
function codeOf(kind: TrackedKind, value: Tracked['value']): number {
  if (kind !== 'loss' && kind !== 'error') return 0;
  const code = Number(value(kind === 'loss' ? 'reason' : 'code'));
  return Number.isInteger(code) && code > 0 && code < 65_536 ? code : 0;
}

const videoEvents: ReadonlySet<string> = new Set(VIDEO_EVENTS);

function purposeOf(kind: TrackedKind): Purpose {
  return videoEvents.has(kind) ? 'video' : (kind as Exclude<TrackedKind, VideoEvent>);
}

/** OpenRTB 2.6, loss reason codes: lost to a higher bid. */
export const LOST_TO_HIGHER_BID = 102;
const FIRST_PRICE = 1;

/** The figures of a loss notice about the auction. */
interface LossNotice {
  lossReason: number;
  /** `${AUCTION_MIN_TO_WIN}` (OpenRTB 2.6, 4.4) in micros of the exchange's currency; undefined for none. */
  minToWin: number | undefined;
  /** `${AUCTION_PRICE}`, as the exchange replaced it. */
  price: string | undefined;
}

/** The lowest price with which a bid would still have won, in the terms of `bidCpmMicros`; undefined where it is not known. */
export function minToWinOfWon(
  reported: number | undefined,
  { bidCpmMicros, dollarsPerUnit }: Pick<BidRef, 'bidCpmMicros' | 'dollarsPerUnit'>,
): Micros | undefined {
  if (reported === undefined) return undefined;
  const cpmMicros = Math.round(reported * dollarsPerUnit);
  return cpmMicros > 0 && cpmMicros <= bidCpmMicros ? cpmMicros : undefined;
}

/**
 * The price at which a lost bid would have won, in the terms of `bidCpmMicros`. Where the exchange does not report it, the
 * price of the winner of a first-price auction that was lost to a higher bid. Undefined where neither is known, and where
 * it is not above the bid, which was lost for another reason then.
 */
export function minToWinOfLost(
  { lossReason, minToWin, price }: LossNotice,
  {
    auctionType,
    bidCpmMicros,
    dollarsPerUnit,
  }: Pick<BidRef, 'auctionType' | 'bidCpmMicros' | 'dollarsPerUnit'>,
  rules: ReadingRules,
): Micros | undefined {
  const isOutbid = auctionType === FIRST_PRICE && lossReason === LOST_TO_HIGHER_BID;
  const units = minToWin ?? (isOutbid ? readMicros(price, rules) : undefined);
  if (units === undefined) return undefined;
  const cpmMicros = Math.round(units * dollarsPerUnit);
  return cpmMicros > bidCpmMicros ? cpmMicros : undefined;
}

/** Reads a minimum to win. Exchanges that encrypt the clearing price may send it as a plain number. */
function readReported(text: string | undefined, rules: ReadingRules): number | undefined {
  return text === undefined
    ? undefined
    : (readMicros(text, { ...rules, keys: null }) ?? readMicros(text, rules));
}

/** A positive price in micros of the exchange's currency; undefined for none. */
function readMicros(text: string | undefined, rules: ReadingRules): number | undefined {
  const read = readPrice(text?.trim() ?? '', rules);
  return typeof read === 'number' && read > 0 ? read : undefined;
}
