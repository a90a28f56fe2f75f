import type { Micros } from '@bidwell/contract/money';
import type { Counter } from 'prom-client';
import type { Tally } from '../../platform/telemetry/tally.ts';
import type { BidRef, EventKind, VideoEvent } from '../model/event.ts';
import { VIDEO_EVENTS } from '../model/event.ts';
import type { Ingest, Outcome } from './ingest.ts';
import { minToWinOf } from './min-to-win.ts';
import type { PriceRules } from '../model/price-rules.ts';
import type { Charge } from './price.ts';
import { chargeOf, chargesAt } from './price.ts';
import type { Purpose } from './purpose.ts';
import type { Signer } from './signing.ts';
import type { EventMark } from '../model/event.ts';

/** Dependencies of {@link acceptor}. */
export interface AcceptDeps {
  ingest: Ingest;
  signer: Signer;
  /** Price format and keys of an exchange. */
  priceRules: (exchange: string) => PriceRules;
  now: () => Date;
  /** Labels kind and outcome (stored, duplicate, expired, invalid). */
  counter: Tally;
  /** Stored events that may charge but have no usable price; labels ssp and reason. */
  unpriced: Counter<'ssp' | 'reason'>;
}

export type TrackedKind = Exclude<EventKind, 'install' | 'install_rejected' | 'unpriced'>;

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
  const devicePrices = new DevicePrices();

  async function record(ref: BidRef, { kind, value, mark }: Tracked): Promise<Outcome> {
    const price = chargesAt(ref.chargeOn, kind) ? value('price') : undefined;
    const charge = chargeOf(kind, ref, price, deps.priceRules(ref.exchange));
    const { spendMicros, marginMicros, fault, isOpen } = charge;
    const lossReason = codeOf(kind, value);
    const minToWinCpmMicros = kind === 'loss' ? minToWin(ref, lossReason, value) : undefined;
    const event = {
      // An event without a price is stored as `unpriced`, so that a later notice with a price is no duplicate; an
      // impression comes only once.
      kind: isOpen && kind !== 'impression' ? ('unpriced' as const) : kind,
      atMs: now().getTime(),
      ref,
      spendMicros,
      ...(marginMicros > 0 && { marginMicros }),
      lossReason,
      ...(minToWinCpmMicros !== undefined && { minToWinCpmMicros }),
      ...(fault && { priceFault: fault }),
      mark,
    };
    const charged = kind === 'billing' ? devicePrices.of(ref.bidId) : undefined;
    const outcome = await ingest.record(charged ? topUp(event, charged) : event);
    if (outcome !== 'stored') return outcome;
    if (fault) deps.unpriced.inc({ ssp: ref.exchange, reason: fault });
    if (kind === 'impression' && ref.chargeOn === 'first' && spendMicros > 0)
      devicePrices.add(ref.bidId, charge);
    return outcome;
  }

  function minToWin(ref: BidRef, lossReason: number, value: Tracked['value']): Micros | undefined {
    const notice = { lossReason, minToWin: value('mtw'), price: value('price') };
    return minToWinOf(notice, ref, deps.priceRules(ref.exchange));
  }

  return async (tracked) => {
    const { kind, token, isQuestion } = tracked;
    const ref = signer.read(purposeOf(kind), token);
    const outcome = !ref ? 'invalid' : isQuestion ? 'duplicate' : await record(ref, tracked);
    counter.inc(kind, outcome);
    return [outcome, ref];
  };
}

/**
 * The notice of a bid that the impression has already charged: it charges only what its price exceeds that of the
 * impression. This charge is shared with no other event.
 */
function topUp<Event extends { ref: BidRef; spendMicros: Micros; marginMicros?: Micros }>(
  event: Event,
  charged: ChargedMicros,
): Event {
  const spendMicros = Math.max(0, event.spendMicros - charged.spendMicros);
  // Rounding may make the margin of the higher price a micro smaller.
  const marginMicros = Math.max(0, (event.marginMicros ?? 0) - charged.marginMicros);
  return {
    ...event,
    ref: { ...event.ref, chargeOn: 'billing' },
    spendMicros,
    marginMicros: Math.min(marginMicros, spendMicros),
  };
}

type ChargedMicros = Pick<Charge, 'spendMicros' | 'marginMicros'>;

const DEVICE_PRICES_MAX = 100_000;

/** Charges of recent impressions at exchanges that send a billing notice as well; the oldest are evicted first. */
class DevicePrices {
  readonly #charges = new Map<string, ChargedMicros>();

  of(bidId: string): ChargedMicros | undefined {
    return this.#charges.get(bidId);
  }

  add(bidId: string, { spendMicros, marginMicros }: ChargedMicros): void {
    this.#charges.set(bidId, { spendMicros, marginMicros });
    if (this.#charges.size > DEVICE_PRICES_MAX) this.#charges.delete(this.#charges.keys().next().value!);
  }
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
