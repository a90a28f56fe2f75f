import type { Micros } from '@bidwell/contract/lib/money';
import type { DeliveryEvent } from '../model/event.ts';
import { addToSum } from '../../platform/group-by.ts';

/** Most codes of losses that are distinguished; an exchange may send any number. */
const LOSS_CODES_MAX = 50;

/** What came of an exchange's bids: its counted notices and impressions. */
export class EventCounts {
  wins = 0;
  billings = 0;
  impressions = 0;
  /** Impressions that were charged, by whichever event the exchange charges at; a price of 0 is a charge too. */
  charged = 0;
  /** What the exchange charged: the media cost, without margins. */
  spendMicros: Micros = 0;
  /** Loss notices by code; 0 has those without a code, and further codes beyond the first {@link LOSS_CODES_MAX}. */
  readonly losses = new Map<number, number>();

  count(event: DeliveryEvent): void {
    const { kind, spendMicros, lossReason, priceFault } = event;
    this.spendMicros += mediaCostMicros(event);
    const isFree = kind === 'unpriced' && priceFault === undefined;
    if (spendMicros > 0 || isFree) this.charged += 1;
    if (kind === 'win') this.wins += 1;
    else if (kind === 'billing') this.billings += 1;
    else if (kind === 'impression') this.impressions += 1;
    else if (kind === 'loss') this.#countLoss(lossReason);
  }

  lost(): number {
    let sum = 0;
    for (const count of this.losses.values()) sum += count;
    return sum;
  }

  #countLoss(code: number): void {
    const isKnown = this.losses.has(code) || this.losses.size < LOSS_CODES_MAX;
    addToSum(this.losses, isKnown ? code : 0, 1);
  }
}

/** What the exchange charged for an event, in micros. */
export function mediaCostMicros({ spendMicros, marginMicros = 0 }: DeliveryEvent): Micros {
  return spendMicros - marginMicros;
}
