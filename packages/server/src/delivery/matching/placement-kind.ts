import type { PlacementKind } from '@bidwell/contract/targets/fields';
import type { ParsedImp } from '../model/bid-request.ts';
import type { CompiledAdset } from '../model/candidate.ts';

/** The kind of the placement of an imp: a rewarded one counts as rewarded only, also where it fills the screen. */
export function placementKindOf({ rewarded, interstitial }: ParsedImp): PlacementKind {
  if (rewarded) return 'rewarded';
  return interstitial ? 'interstitial' : 'other';
}

/** Whether an ad set bids for the kind of placement of an imp. */
export function takesPlacement(
  { placementKinds }: Pick<CompiledAdset, 'placementKinds'>,
  imp: ParsedImp,
): boolean {
  return placementKinds.size === 0 || placementKinds.has(placementKindOf(imp));
}
