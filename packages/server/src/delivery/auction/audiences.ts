import type { NoBidReason } from '@bidwell/contract/text/no-bid-reasons';
import type { CompiledAudiences, Memberships } from '../model/audience.ts';

/**
 * Why an ad set with audiences does not bid for a person; null if it does. `memberships` is null for a person without an id, or whose
 * choices forbid the look-up. An audience that is not loaded has the person neither in it nor outside of it.
 */
export function audienceNoBidReason(
  { include, exclude, withoutId }: CompiledAudiences,
  memberships: Memberships | null,
): NoBidReason | null {
  if (!memberships) return include.length > 0 || withoutId === 'skip' ? 'audience_unknown' : null;
  let isComplete = true;
  for (const uuid of exclude) {
    const membership = memberships.of(uuid);
    if (membership === 'in') return 'audience_excluded';
    if (membership === 'not_loaded') isComplete = false;
  }
  for (const group of include) {
    let found: 'in' | 'out' | 'not_loaded' = 'out';
    for (const uuid of group) {
      const membership = memberships.of(uuid);
      if (membership !== 'out') found = membership;
      if (found === 'in') break;
    }
    if (found === 'out') return 'audience_not_included';
    if (found === 'not_loaded') isComplete = false;
  }
  return isComplete ? null : 'audience_not_loaded';
}
