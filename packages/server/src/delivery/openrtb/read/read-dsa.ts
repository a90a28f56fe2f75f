import { type JsonObject, integerOf, objectOf } from '../json.ts';
import type { ParsedDsa } from '../../model/bid-request.ts';

/** From this value on, bids without transparency information are rejected. */
const REQUIRED = 2;

/**
 * Reads the transparency requirements of the Digital Services Act (IAB Tech Lab, "DSA Transparency", `regs.ext.dsa`;
 * `regs.dsa` in newer requests). Null when there are none.
 */
export function readDsa(regs: JsonObject): ParsedDsa | null {
  const value = regs['dsa'] ?? objectOf(regs['ext'])['dsa'];
  if (value === undefined || value === null) return null;
  const dsa = objectOf(value);
  return {
    required: integerOf(dsa['dsarequired'], 0) >= REQUIRED,
    // 0: the publisher cannot show the information; 1: it can; 2: it will.
    publisherRenders: integerOf(dsa['pubrender'], 0) > 0,
  };
}
