import { messages } from '@bidwell/contract/text/messages';
import type { TargetSettings } from '@bidwell/contract/targets/schema';
import { Invalid } from '../../../platform/errors.ts';
import type { Db } from '../../../platform/postgres/transaction.ts';
import { type ListField, referenceLists } from '../reference/service.ts';

/**
 * Validates list fields against their reference lists, normalizes the spelling and removes duplicates. Values that
 * the target already has may stay when their list no longer has them, such as an exchange that was switched off.
 * Throws Invalid on the fields with other values.
 */
export async function asReferenced<Input extends Partial<TargetSettings>>(
  db: Db,
  input: Input,
  before: TargetSettings | null,
): Promise<Input> {
  const lists = await referenceLists(db);
  const errors: { field: string; message: string }[] = [];
  const known: Partial<Record<ListField, string[]>> = {};
  for (const field of Object.keys(lists) as ListField[]) {
    const values = input[field];
    if (values === undefined) continue;
    const { noun, values: reference } = lists[field];
    const previous = new Set(before?.[field]);
    const written = values.map(
      (value) => reference.get(value.toLowerCase()) ?? (previous.has(value) ? value : null),
    );
    const unknown = values.find((_value, index) => written[index] === null);
    if (unknown !== undefined) errors.push({ field, message: messages.notInList(unknown, noun) });
    known[field] = [...new Set(written.filter((value) => value !== null))];
  }
  if (errors.length > 0) throw new Invalid(errors);
  return { ...input, ...known };
}
