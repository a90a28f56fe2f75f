import type { NoBidReason } from '../model/no-bid-reasons.ts';

/** Our reasons that have a code in OpenRTB 2.6, 5.24 "No-Bid Reason Codes". */
const codes: Partial<Record<NoBidReason, number>> = {
  unreadable: 2,
  timeout: 15,
  no_tracker: 1,
  event_log: 1,
  overloaded: 1,
  too_many_requests: 1,
  shed: 1,
  bot: 3,
  datacenter: 5,
  os: 6,
  os_version: 6,
  device_type: 6,
  device_model: 6,
  bundle_black_listed: 7,
  bundle_not_white_listed: 7,
  own_app: 7,
};
const UNKNOWN = 0;

/** Body of a no-bid response with the reason: its OpenRTB code and our name for it. */
export function noBidBody(id: string, reason: NoBidReason): object {
  return { id, nbr: codes[reason] ?? UNKNOWN, ext: { reason } };
}
