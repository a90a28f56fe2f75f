import { messages } from '@bidwell/contract/messages';
import type { TargetSettings } from '@bidwell/contract/target';
import { Invalid } from '../../platform/errors.ts';
import type { Db } from '../../platform/postgres/transaction.ts';
import type { ListField } from '../reference/service.ts';
import { referenceLists } from '../reference/service.ts';

/**
 * Validates list fields against their reference lists, normalizes the spelling and removes duplicates. Values that
 * the target already has may stay when their list no longer has them, such as an exchange that was switched off.
 * Throws Invalid on the fields with other values.
 */
export async function asReferenced<Given extends Partial<TargetSettings>>(
  db: Db,
  given: Given,
  before: TargetSettings | null,
): Promise<Given> {
  const lists = await referenceLists(db);
  const faults: { field: string; message: string }[] = [];
  const known: Partial<Record<ListField, string[]>> = {};
  for (const field of Object.keys(lists) as ListField[]) {
    const values = given[field];
    if (values === undefined) continue;
    const { noun, values: reference } = lists[field];
    const kept = new Set(before?.[field]);
    const written = values.map(
      (value) => reference.get(value.toLowerCase()) ?? (kept.has(value) ? value : null),
    );
    const unknown = values.find((_value, index) => written[index] === null);
    if (unknown !== undefined) faults.push({ field, message: messages.notInList(unknown, noun) });
    known[field] = [...new Set(written.filter((value) => value !== null))];
  }
  if (faults.length > 0) throw new Invalid(faults);
  return { ...given, ...known };
}
