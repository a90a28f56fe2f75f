import type { Audience } from './schema.ts';

/**
 * The number of ids of an audience; null while it is not known: a first file is being imported, or a rule or an address has not been read
 * yet.
 */
export function knownSize({
  kind,
  size,
  state,
  refreshed_at: refreshedAt,
}: Pick<Audience, 'kind' | 'size' | 'state' | 'refreshed_at'>): number | null {
  if (size > 0) return size;
  // A rule is computed every two minutes, mostly with the same result.
  if (kind === 'live') return refreshedAt === null ? null : 0;
  if (state === 'importing') return null;
  return kind !== 'list' && refreshedAt === null && state !== 'failed' ? null : 0;
}

/** Audiences that are included, in groups, and excluded. */
interface ChosenAudiences {
  include: readonly (readonly string[])[];
  exclude: readonly string[];
}

/** The first group of included audiences all of which are excluded too: no person fits. Undefined for none. */
export const contradictedGroup = ({ include, exclude }: ChosenAudiences): readonly string[] | undefined =>
  include.find((group) => group.length > 0 && group.every((uuid) => exclude.includes(uuid)));

/** Why chosen audiences let no bid through, and the included audiences of which that is so. */
export interface UnreachableGroup {
  /**
   * `contradiction`: they are excluded too; `empty`: none of them has people; `unknown`: none of them is known to have people, and the size
   * of one is not known yet.
   */
  because: 'contradiction' | 'empty' | 'unknown';
  group: readonly string[];
}

/** The group of included audiences that lets no bid through; null where each may have people. `sizeOf` is null for a size that is not known. */
export function unreachableGroup(
  { include, exclude }: ChosenAudiences,
  sizeOf: (uuid: string) => number | null,
): UnreachableGroup | null {
  const contradicted = contradictedGroup({ include, exclude });
  if (contradicted) return { because: 'contradiction', group: contradicted };
  let unknown: UnreachableGroup | null = null;
  for (const group of include) {
    const sizes = group.filter((uuid) => !exclude.includes(uuid)).map(sizeOf);
    if (sizes.length === 0 || sizes.some((size) => size !== null && size > 0)) continue;
    if (!sizes.includes(null)) return { because: 'empty', group };
    unknown ??= { because: 'unknown', group };
  }
  return unknown;
}
