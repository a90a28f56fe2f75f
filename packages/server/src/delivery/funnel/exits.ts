import type { FunnelExit, NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import { FUNNEL_EXITS } from '@bidwell/contract/insight/funnel';

/** Index of an exit in {@link FUNNEL_EXITS}; {@link BID} for a request that got a bid. */
export type ExitCode = number;

/** The code of a request on which the ad set bid. */
export const BID: ExitCode = FUNNEL_EXITS.length;

const codes = new Map<string, ExitCode>(FUNNEL_EXITS.map((exit, index) => [exit, index]));

/** The exit of a code other than {@link BID}. */
export function exitAt(code: ExitCode): FunnelExit {
  return FUNNEL_EXITS[code]!;
}

/** The code of an exit. */
export function codeOf(exit: FunnelExit): ExitCode {
  return codes.get(exit)!;
}

/** The exit of a no-bid reason; null for reasons that come before the ad sets are looked at. */
export function exitOf(reason: NoBidReason): FunnelExit | null {
  return codes.has(reason) ? (reason as FunnelExit) : null;
}
