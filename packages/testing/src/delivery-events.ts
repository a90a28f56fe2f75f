import type { BidRef, DeliveryEvent, EventKind } from '@bidwell/server/delivery/model/event';

/** An event of a bid as a tracker records it: now, without a charge and of valid traffic by default. */
export function deliveryEvent(
  ref: BidRef,
  kind: EventKind,
  more: Partial<DeliveryEvent> = {},
): DeliveryEvent {
  return { kind, atMs: Date.now(), ref, spendMicros: 0, lossReason: 0, mark: '', ...more };
}
