import { adsetFields } from '@bidwell/contract/adsets/fields';
import { BidMultiplier } from '@bidwell/contract/adsets/multipliers';
import { campaignFields } from '@bidwell/contract/campaigns/fields';
import { type Change, type ChangedField, UNDO_FIELD } from '@bidwell/contract/changes/schema';
import { entriesOf, withEntries } from '@bidwell/contract/lib/entries';
import { undoneOf } from '@bidwell/contract/lib/fields';
import { isStartOrPause } from '@bidwell/contract/history/schema';
import { targetFields } from '@bidwell/contract/targets/fields';
import { Uuid } from '@bidwell/contract/lib/wire';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** How a logged field is set by an update: its name there, and the value of the update from the logged one. */
interface Setting {
  name: string;
  /** Undefined for a value that an update cannot set. */
  valueOf: (logged: unknown) => unknown;
  /** Entries that an update has at least. */
  min: number;
}

const Reference = z.object({ uuid: Uuid });
const References = z.array(Reference);

const asLogged = (name: string): Setting => ({ name, valueOf: (logged) => logged, min: 0 });
const byUuid = (name: string): Setting => ({
  name,
  valueOf: (logged) => Reference.safeParse(logged).data?.uuid,
  min: 0,
});
/** Sorted: the order of references means nothing. */
const byUuids = (name: string, min: number): Setting => ({
  name,
  valueOf: (logged) =>
    References.safeParse(logged)
      .data?.map(({ uuid }) => uuid)
      .toSorted(),
  min,
});

/** Audiences of the log have names; an entity has their ids alone. */
const AudienceId = z.union([Uuid, Reference.transform(({ uuid }) => uuid)]);
const parsed = (name: string, schema: z.ZodType): readonly [string, Setting] => [
  name,
  { name, valueOf: (logged) => schema.safeParse(logged).data, min: 0 },
];
const audienceSettings = [
  parsed('audience_include', z.array(z.array(AudienceId))),
  parsed('audience_exclude', z.array(AudienceId)),
];

const asLoggedAll = (...names: string[]) => names.map((name) => [name, asLogged(name)] as const);

const settings: Partial<Record<Change['entity_type'], ReadonlyMap<string, Setting>>> = {
  adset: new Map([
    ...asLoggedAll('name', 'description', 'status', ...undoneOf(adsetFields)),
    ...audienceSettings,
    // In the order of the schema, which JSON in the database does not keep.
    parsed('bid_multipliers', z.array(BidMultiplier)),
    ['target', byUuid('target_id')],
    ['tracking_link', byUuid('tracking_link_id')],
    ['creative_groups', byUuids('creative_group_ids', 1)],
  ]),
  campaign: new Map([
    ...asLoggedAll('name', 'description', ...undoneOf(campaignFields)),
    ['app', byUuid('app_uuid')],
    ['adsets', byUuids('adset_uuids', 0)],
  ]),
  target: new Map([
    ...asLoggedAll('name', 'description', ...undoneOf(targetFields)),
    ...audienceSettings,
    ['app', byUuid('app_id')],
  ]),
};

/** A field that an undo sets. Its functions take the value that it has now, in the form of the change log. */
export interface RestoredField {
  /** Its name in the change log and in the update. */
  field: string;
  input: string;
  /** Whether it has the value from before or after the change. */
  isBefore: (now: unknown) => boolean;
  isAfter: (now: unknown) => boolean;
  /** The value for the update, of a field that has the value from after the change. */
  restored: (now: unknown) => unknown;
}

/**
 * The fields that an update sets to undo a change of a campaign, an ad set or a target. Null for changes that cannot be undone: a
 * change that is no update, that has a field whose earlier value an update cannot set, or that changed more entries of a
 * list than the log has.
 */
export function restoredFields({
  entity_type: type,
  action,
  fields: logged,
}: Pick<Change, 'entity_type' | 'action' | 'fields'>): RestoredField[] | null {
  const own = settings[type];
  // Of an undo that is undone.
  const fields = logged.filter(({ field }) => field !== UNDO_FIELD);
  if (action !== 'update' || !own || fields.length === 0) return null;
  const restored = fields.flatMap((changed) => {
    const setting = own.get(changed.field);
    return (setting && restoredField(changed, setting)) ?? [];
  });
  return restored.length === fields.length ? restored : null;
}

/** A field that an undo sets from one whole value to another. */
export function restoredValue(
  field: string,
  input: string,
  values: { before: unknown; after: unknown },
  valueOf: (logged: unknown) => unknown = (logged) => logged,
): RestoredField {
  const { before, after } = values;
  return {
    field,
    input,
    isBefore: (now) => isDeepStrictEqual(valueOf(now), before),
    isAfter: (now) => isDeepStrictEqual(valueOf(now), after),
    restored: () => before,
  };
}

function restoredField(changed: ChangedField, setting: Setting): RestoredField | undefined {
  const { field, entries } = changed;
  const { name: input, valueOf, min } = setting;
  const [before, after] = [valueOf(changed.before), valueOf(changed.after)];
  if (entries) return restoredEntries(changed, setting, entries);
  if (before === undefined || (Array.isArray(before) && before.length < min)) return undefined;
  return restoredValue(field, input, { before, after }, valueOf);
}

/** A list or map of which the log has the entries that the change added and removed, if it has all of them. */
function restoredEntries(
  { field, before, after }: ChangedField,
  { name: input, valueOf, min }: Setting,
  { added: addedCount, removed: removedCount, unchanged }: NonNullable<ChangedField['entries']>,
): RestoredField | undefined {
  const [removed, added] = [entriesOf(valueOf(before)), entriesOf(valueOf(after))];
  if (removed.size < removedCount || added.size < addedCount || unchanged + removed.size < min)
    return undefined;
  const has = (now: unknown, present: ReadonlyMap<string, unknown>, absent: ReadonlyMap<string, unknown>) => {
    const entries = entriesOf(valueOf(now));
    return (
      entries.size === unchanged + present.size &&
      [...present.keys()].every((key) => entries.has(key)) &&
      ![...absent.keys()].some((key) => entries.has(key))
    );
  };
  return {
    field,
    input,
    isBefore: (now) => has(now, removed, added),
    isAfter: (now) => has(now, added, removed),
    restored(now) {
      const value = valueOf(now);
      const kept = [...entriesOf(value)].filter(([key]) => !added.has(key)).map(([, entry]) => entry);
      const entries = [...kept, ...removed.values()];
      return withEntries(value, entries);
    },
  };
}

/** Whether a change is of a kind that can be undone. */
export const canUndo = (change: Pick<Change, 'entity_type' | 'action' | 'fields'>): boolean =>
  isStartOrPause(change) || restoredFields(change) !== null;
