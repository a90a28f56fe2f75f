import { z } from 'zod';
import type { Change } from './change.ts';
import { EntityType } from './change.ts';
import { Uuid } from './wire.ts';

/** POST /changes/{uuid}/undo: the entity whose fields have their earlier values again. */
export const UndoneChange = z.object({ entity_type: EntityType, entity_uuid: Uuid });
export type UndoneChange = z.infer<typeof UndoneChange>;

/** How a logged field is set by an update: its name there, and the value of the update from the logged one. */
interface Setting {
  name: string;
  /** Undefined for a value that an update cannot set. */
  valueOf: (logged: unknown) => unknown;
}

const Reference = z.object({ uuid: Uuid });
const References = z.array(Reference);

const asLogged = (name: string): Setting => ({ name, valueOf: (logged) => logged });
const byUuid = (name: string): Setting => ({
  name,
  valueOf: (logged) => Reference.safeParse(logged).data?.uuid,
});
/** Sorted: the order of references means nothing. */
const byUuids = (name: string, min: number): Setting => ({
  name,
  valueOf(logged) {
    const uuids = References.safeParse(logged).data?.map(({ uuid }) => uuid);
    return uuids && uuids.length >= min ? uuids.toSorted() : undefined;
  },
});

const unchanged = (...names: string[]) => names.map((name) => [name, asLogged(name)] as const);

const settings: Partial<Record<Change['entity_type'], ReadonlyMap<string, Setting>>> = {
  adset: new Map([
    ...unchanged('name', 'description', 'status', 'algo', 'bet_cpm', 'bet_cpi', 'daily_budget_const'),
    ...unchanged('all_budget_const', 'black_list_bundles', 'white_list_bundles', 'bundle_bids'),
    ['target', byUuid('target_id')],
    ['tracking_link', byUuid('tracking_link_id')],
    ['creative_groups', byUuids('creative_group_ids', 1)],
  ]),
  campaign: new Map([
    ...unchanged('name', 'description', 'start_date', 'end_date'),
    ['app', byUuid('app_uuid')],
    ['adsets', byUuids('adset_uuids', 0)],
  ]),
};

/** A field that an undo sets. */
export interface RestoredField {
  /** Its name in the change log and in the update. */
  field: string;
  input: string;
  /** Values of the update before and after the change. */
  before: unknown;
  after: unknown;
  /** The value of the update from a value as the change log has it. */
  valueOf: (logged: unknown) => unknown;
}

/**
 * What an update sets to undo a change of a campaign or an ad set, field by field. Null for changes that cannot be undone:
 * those that are no updates, and those with a field that an update cannot set to its earlier value.
 */
export function restoredFields({
  entity_type: type,
  action,
  fields,
}: Pick<Change, 'entity_type' | 'action' | 'fields'>): RestoredField[] | null {
  const own = settings[type];
  if (action !== 'update' || !own || fields.length === 0) return null;
  const restored = fields.flatMap(({ field, before, after }): RestoredField[] => {
    const setting = own.get(field);
    const value = setting?.valueOf(before);
    if (!setting || value === undefined) return [];
    const { name: input, valueOf } = setting;
    return [{ field, input, before: value, after: valueOf(after), valueOf }];
  });
  return restored.length === fields.length ? restored : null;
}

/** Whether a change starts or pauses a campaign, which is undone by the opposite call. */
export const isStartOrPause = ({ entity_type: type, action }: Pick<Change, 'entity_type' | 'action'>) =>
  type === 'campaign' && (action === 'start' || action === 'pause');

/** Whether a change is of a kind that can be undone. */
export const canUndo = (change: Pick<Change, 'entity_type' | 'action' | 'fields'>): boolean =>
  isStartOrPause(change) || restoredFields(change) !== null;
