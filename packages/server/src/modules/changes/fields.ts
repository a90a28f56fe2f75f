import { CHANGE_ENTRIES_MAX, type ChangedField } from '@bidwell/contract/changes/schema';
import { entriesOf, withEntries } from '@bidwell/contract/lib/entries';
import { isDeepStrictEqual } from 'node:util';

type Values = Readonly<Record<string, unknown>> | null;

const untracked = new Set(['uuid', 'company_uuid', 'created_at', 'updated_at']);

/**
 * The fields whose values differ; values are null before the creation of an entity and after its deletion. Of long lists and
 * maps only what differs, so that a long list in another order is unchanged.
 */
export function changedFields(before: Values, after: Values): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .filter(
      (name) => !untracked.has(name) && !isDeepStrictEqual(before?.[name] ?? null, after?.[name] ?? null),
    )
    .map((field) =>
      withoutLongLists({ field, before: before?.[field] ?? null, after: after?.[field] ?? null }),
    )
    .filter(({ entries }) => !entries || entries.added + entries.removed > 0);
}

/** A field of the log without the entries of a long list or map that the change left alone. */
export function withoutLongLists(changed: ChangedField): ChangedField {
  const { field, before, after, entries } = changed;
  if (entries) return changed;
  const [previous, next] = [entriesOf(before), entriesOf(after)];
  if (previous.size + next.size <= CHANGE_ENTRIES_MAX) return changed;
  const removed = [...previous.keys()].filter((key) => !next.has(key));
  const added = [...next.keys()].filter((key) => !previous.has(key));
  return {
    field,
    before: withEntries(
      before,
      removed.slice(0, CHANGE_ENTRIES_MAX).map((key) => previous.get(key)),
    ),
    after: withEntries(
      after,
      added.slice(0, CHANGE_ENTRIES_MAX).map((key) => next.get(key)),
    ),
    entries: { added: added.length, removed: removed.length, unchanged: next.size - added.length },
  };
}
