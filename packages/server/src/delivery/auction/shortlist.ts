import type { ParsedDevice, ParsedImp } from '../openrtb/request.ts';
import type { Candidate, Shape, ShapedCreative, Snapshot } from '../snapshot/types.ts';
import { fittingShapes } from './formats.ts';
import type { NoBidReason } from './reasons.ts';
import { further } from './reasons.ts';

/** Whom an imp is worth asking. */
export interface Shortlist {
  /** The shapes of creative that fit the imp. */
  shapes: ReadonlySet<Shape>;
  /** The ad sets of these shapes for the device's system and country; each list begins with the highest bidder. */
  lists: (readonly Candidate[])[];
  /** How far those came that are not on it. */
  reason: NoBidReason;
}

/** Takes from the index the ad sets whose creatives, operating system and country fit. */
export function shortlist(
  imp: ParsedImp,
  { os, country }: Pick<ParsedDevice, 'os' | 'country'>,
  { byShape }: Snapshot,
): Shortlist {
  const fitting = fittingShapes(imp, byShape);
  const lists: (readonly Candidate[])[] = [];
  let { reason } = fitting;
  for (const { byOs } of fitting.slots) {
    const osSlot = byOs.get(os);
    if (!osSlot) {
      reason = further(reason, 'os');
      continue;
    }
    const here = osSlot.byCountry.get(country);
    if (osSlot.byCountry.size > (here ? 1 : 0)) reason = further(reason, 'country');
    if (here) lists.push(here);
    if (osSlot.anywhere.length > 0) lists.push(osSlot.anywhere);
  }
  return { shapes: new Set(fitting.slots.map(({ shape }) => shape)), lists, reason };
}

/** An ad set's creatives that an imp takes. */
export function fittingCreatives(
  { creatives }: Candidate,
  shapes: ReadonlySet<Shape>,
): readonly ShapedCreative[] {
  return creatives.filter(({ shape }) => shapes.has(shape));
}
