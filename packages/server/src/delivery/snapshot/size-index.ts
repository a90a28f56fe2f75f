import type { Candidate, OsSlot, SizeSlot } from './types.ts';

interface OpenOsSlot extends OsSlot {
  anywhere: Candidate[];
  byCountry: Map<string, Candidate[]>;
}
interface OpenSizeSlot extends SizeSlot {
  byOs: Map<string, OpenOsSlot>;
}

/** Sorts ad sets by the sizes of their banners, their operating system and the countries they name. Pure. */
export function indexBySize(candidates: readonly Candidate[]): Map<string, SizeSlot> {
  const bySize = new Map<string, OpenSizeSlot>();
  // The one that may bid most comes first in every list.
  for (const candidate of [...candidates].sort((a, b) => b.ceilingCpmMicros - a.ceilingCpmMicros)) {
    const sizes = new Map(candidate.banners.map((banner) => [`${banner.width}x${banner.height}`, banner]));
    for (const [key, { width, height }] of sizes) {
      const slot = entryOf(bySize, key, () => ({ width, height, byOs: new Map() }));
      const osSlot = entryOf(slot.byOs, candidate.app.os, () => ({ anywhere: [], byCountry: new Map() }));
      const { include } = candidate.countries;
      if (include.size === 0) osSlot.anywhere.push(candidate);
      for (const country of include)
        entryOf<Candidate[]>(osSlot.byCountry, country, () => []).push(candidate);
    }
  }
  return bySize;
}

function entryOf<Value>(map: Map<string, Value>, key: string, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
