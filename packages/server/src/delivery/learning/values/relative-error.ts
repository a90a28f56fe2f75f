import { weightOf } from './goal-record.ts';
import type { PersonRow } from './person-rows.ts';

/**
 * Relative standard error of the average value of an install, as known from the people that converted: the square root of the sum
 * of the squared values of people over their sum, which for events is one over the square root of their number. Null without people.
 * `conversionsOf` of the delivery report has the same formula in SQL.
 */
export function relativeErrorOf(rows: readonly PersonRow[]): number | null {
  const people = new Map<string, number>();
  for (const { person, ageMs, units } of rows)
    people.set(person, (people.get(person) ?? 0) + units * weightOf(ageMs));
  let [sum, squares] = [0, 0];
  for (const value of people.values()) {
    sum += Math.max(0, value);
    squares += Math.max(0, value) ** 2;
  }
  return sum > 0 ? Math.sqrt(squares) / sum : null;
}
