import type { Database } from '../../platform/postgres/client.ts';
import type { Claim } from './claims-store.ts';
import { takeClaims } from './claims-store.ts';
import type { DeliveryEvent } from './event.ts';
import { CHARGE_INDEX, kindIndexOf } from './event.ts';

/** Whether the money of this event could be spent by another one of the same bid too. */
export function sharesCharge({ ref, spendMicros }: DeliveryEvent): boolean {
  return ref.chargeOn === 'first' && spendMicros > 0;
}

/**
 * Decides among the trackers of several processes, which know nothing of each other's events, when a batch is stored:
 * answers the batch with null for what another one has, and without the money that another event spent. The same batch
 * gets the same answer however often it asks.
 */
export async function claimed(
  db: Database,
  batch: string,
  events: readonly DeliveryEvent[],
): Promise<(DeliveryEvent | null)[]> {
  const wanted = events.flatMap((event, seq): Claim[] => {
    const { bidId } = event.ref;
    const own = { bidId, kindIndex: kindIndexOf(event.kind), seq };
    return sharesCharge(event) ? [own, { bidId, kindIndex: CHARGE_INDEX, seq }] : [own];
  });
  const kept = new Set<number>();
  const charged = new Set<number>();
  for (const { seq, kindIndex } of await takeClaims(db, batch, wanted))
    (kindIndex === CHARGE_INDEX ? charged : kept).add(seq);
  return events.map((event, seq) => {
    if (!kept.has(seq)) return null;
    return sharesCharge(event) && !charged.has(seq) ? { ...event, spendMicros: 0 } : event;
  });
}
