import type { Database } from '../../platform/postgres/client.ts';
import type { Claim } from './claims-store.ts';
import { takeClaims } from './claims-store.ts';
import type { DeliveryEvent } from '../model/event.ts';
import type { EventRow } from './event-store.ts';
import { CHARGE_INDEX, kindIndexOf } from '../model/event.ts';

/** Whether another event of the same bid could charge the same money. */
export function sharesCharge({ ref, spendMicros }: DeliveryEvent): boolean {
  return ref.chargeOn === 'first' && spendMicros > 0;
}

/**
 * Resolves duplicates between trackers of several processes when events are stored: drops events that another tracker has
 * claimed, and sets the spend to 0 where another event has charged the bid. Idempotent for each batch. No two of `rows`
 * may have the same bid and kind.
 */
export async function withoutClaimedElsewhere<Row extends EventRow>(
  db: Database,
  rows: readonly Row[],
): Promise<Row[]> {
  const wanted = rows.flatMap((row): (Claim & { row: Row })[] => {
    const { batch, event } = row;
    const own = { bidId: event.ref.bidId, kindIndex: kindIndexOf(event.kind), batch, row };
    return sharesCharge(event) ? [own, { ...own, kindIndex: CHARGE_INDEX }] : [own];
  });
  const accepted = new Set<Row>();
  const charged = new Set<Row>();
  for (const { row, kindIndex } of await takeClaims(db, wanted))
    (kindIndex === CHARGE_INDEX ? charged : accepted).add(row);
  return rows.flatMap((row) => {
    if (!accepted.has(row)) return [];
    return sharesCharge(row.event) && !charged.has(row)
      ? [{ ...row, event: { ...row.event, spendMicros: 0 } }]
      : [row];
  });
}
