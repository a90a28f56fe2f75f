import type { Candidate, OsSlot, Shape, ShapeIndex, ShapeSlot } from './types.ts';

interface OpenOsSlot extends OsSlot {
  anywhere: Candidate[];
  byCountry: Map<string, Candidate[]>;
}
interface OpenShapeSlot extends ShapeSlot {
  byOs: Map<string, OpenOsSlot>;
}

/** Sorts ad sets by the shapes of their creatives, their operating system and the countries they name. Pure. */
export function indexByShape(candidates: readonly Candidate[]): ShapeIndex {
  const slots = new Map<Shape, OpenShapeSlot>();
  // The one that may bid most comes first in every list.
  for (const candidate of [...candidates].sort((a, b) => b.ceilingCpmMicros - a.ceilingCpmMicros)) {
    for (const shape of new Set(candidate.creatives.map((creative) => creative.shape))) {
      const slot = entryOf(slots, shape, () => ({ shape, byOs: new Map() }));
      const osSlot = entryOf(slot.byOs, candidate.app.os, () => ({ anywhere: [], byCountry: new Map() }));
      const { include } = candidate.countries;
      if (include.size === 0) osSlot.anywhere.push(candidate);
      for (const country of include)
        entryOf<string, Candidate[]>(osSlot.byCountry, country, () => []).push(candidate);
    }
  }
  const ofType = (type: Shape['type']) => [...slots.values()].filter(({ shape }) => shape.type === type);
  return {
    Banner: ofType('Banner'),
    Video: ofType('Video'),
    Playable: ofType('Playable'),
    Native: ofType('Native'),
  };
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
