import { type NoBidReason, nbrOf } from '@bidwell/contract/text/no-bid-reasons';

/** Body of a no-bid response with the reason: its OpenRTB code and our name for it. */
export function noBidBody(id: string, reason: NoBidReason): object {
  return { id, nbr: nbrOf(reason), ext: { reason } };
}
