import type { Micros } from '@bidwell/contract/money';
import type { Counter } from 'prom-client';
import type { BidRef, EventKind, VideoEvent } from '../model/event.ts';
import { VIDEO_EVENTS } from '../model/event.ts';
import type { Ingest, Outcome } from './ingest.ts';
import type { PriceRules } from '../model/price-rules.ts';
import { chargeOf } from './price.ts';
import type { Purpose } from './purpose.ts';
import type { Signer } from './signing.ts';
import type { EventMark } from '../model/event.ts';

/** What becomes of events that come over HTTP. */
export interface AcceptDeps {
  ingest: Ingest;
  signer: Signer;
  /** How an exchange sends its prices. */
  priceRules: (exchange: string) => PriceRules;
  now: () => Date;
  /** Labels kind and outcome (stored, duplicate, expired, invalid). */
  counter: Counter<'kind' | 'outcome'>;
  /** Stored events that may charge and name no price; labels ssp and reason. */
  unpriced: Counter<'ssp' | 'reason'>;
}

export type TrackedKind = Exclude<EventKind, 'install' | 'install_rejected' | 'unpriced'>;

/** A tracker's address that was asked for. */
export interface Tracked {
  kind: TrackedKind;
  token: string;
  /** True for what is no event: a link checker's HEAD, or a browser that fetches ahead of the person. */
  isQuestion: boolean;
  /** A parameter of the address. */
  value: (name: string) => string | undefined;
  /** What makes the event doubtful; '' for nothing. */
  mark: EventMark;
}

/** Stores the event that an address stands for, or says why not. Throws Unavailable. */
export type Accept = (tracked: Tracked) => Promise<[Outcome | 'invalid', BidRef?]>;

export function acceptor(deps: AcceptDeps): Accept {
  const { ingest, signer, now, counter } = deps;
  const devicePrices = new DevicePrices();

  async function record(ref: BidRef, { kind, value, mark }: Tracked): Promise<Outcome> {
    const { spendMicros, fault, isOpen } = chargeOf(kind, ref, value('price'), deps.priceRules(ref.exchange));
    const event = {
      // What the markup reports comes once, with a price or without.
      kind: isOpen && kind !== 'impression' ? ('unpriced' as const) : kind,
      atMs: now().getTime(),
      ref,
      spendMicros,
      lossReason: codeOf(kind, value),
      ...(fault && { priceFault: fault }),
      mark,
    };
    const chargedMicros = kind === 'billing' ? devicePrices.of(ref.bidId) : undefined;
    const outcome = await ingest.record(
      chargedMicros === undefined ? event : topUp(event, spendMicros - chargedMicros),
    );
    if (outcome !== 'stored') return outcome;
    if (fault) deps.unpriced.inc({ ssp: ref.exchange, reason: fault });
    if (kind === 'impression' && ref.chargeOn === 'first' && spendMicros > 0)
      devicePrices.add(ref.bidId, spendMicros);
    return outcome;
  }

  return async (tracked) => {
    const { kind, token, isQuestion } = tracked;
    const ref = signer.read(purposeOf(kind), token);
    const outcome = !ref ? 'invalid' : isQuestion ? 'duplicate' : await record(ref, tracked);
    counter.inc({ kind, outcome });
    return [outcome, ref];
  };
}

/**
 * The notice of a bid that the impression has charged already: it charges what its price is above the device's. Its own money
 * is shared with no other event.
 */
function topUp<Event extends { ref: BidRef; spendMicros: Micros }>(event: Event, micros: Micros): Event {
  return { ...event, ref: { ...event.ref, chargeOn: 'billing' }, spendMicros: Math.max(0, micros) };
}

const DEVICE_PRICES_MAX = 100_000;

/** What impressions have charged at exchanges that send a billing notice as well, the latest of them. */
class DevicePrices {
  readonly #micros = new Map<string, Micros>();

  of(bidId: string): Micros | undefined {
    return this.#micros.get(bidId);
  }

  add(bidId: string, micros: Micros): void {
    this.#micros.set(bidId, micros);
    if (this.#micros.size > DEVICE_PRICES_MAX) this.#micros.delete(this.#micros.keys().next().value!);
  }
}

/** The exchange's reason of a loss, the player's code of an error. */
function codeOf(kind: TrackedKind, value: Tracked['value']): number {
  if (kind !== 'loss' && kind !== 'error') return 0;
  const code = Number(value(kind === 'loss' ? 'reason' : 'code'));
  return Number.isInteger(code) && code > 0 && code < 65_536 ? code : 0;
}

const videoEvents: ReadonlySet<string> = new Set(VIDEO_EVENTS);

function purposeOf(kind: TrackedKind): Purpose {
  return videoEvents.has(kind) ? 'video' : (kind as Exclude<TrackedKind, VideoEvent>);
}
