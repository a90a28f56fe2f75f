import { numberOf } from '../json.ts';

/** Whether a floor is stated, but not as a number or a text of one: `$50`, `100,5`. A bid could be below it. */
export function isUnreadableFloor(floor: unknown): boolean {
  if (floor === undefined || floor === null) return false;
  if (typeof floor === 'string' && floor.trim() === '') return false;
  return Number.isNaN(numberOf(floor));
}
