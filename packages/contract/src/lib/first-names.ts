import { numberText } from './number-text.ts';
import { truncate } from './truncate.ts';

/** Characters of a name that a message has at most. */
const NAME_CHARS_MAX = 50;

/** Names in quotes for a message, of which many are counted: `“A”, “B” and 3 more`. Pure. */
export function firstNames(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).map((name) => `“${truncate(name, NAME_CHARS_MAX)}”`);
  const more = names.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${numberText(more)} more` : ''}`;
}
