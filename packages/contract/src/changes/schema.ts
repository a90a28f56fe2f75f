import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';

export const ENTITY_TYPES = [
  'app',
  'creative',
  'creative_group',
  'target',
  'tracking_link',
  'audience',
  'adset',
  'campaign',
  'user',
  'company',
  'api_token',
  'alert_channel',
  'alert_rule',
  'report_schedule',
  'report_destination',
  'warehouse_export',
] as const;
export const EntityType = z.enum(ENTITY_TYPES);
export type EntityType = z.infer<typeof EntityType>;

export const ChangeAction = z.enum([
  'create',
  'update',
  'delete',
  'start',
  'pause',
  'decide',
  'archive',
  'restore',
  /** An operator viewed the company's console. */
  'view',
]);
export type ChangeAction = z.infer<typeof ChangeAction>;

/**
 * Entries that a field's value before and after may have together to be logged whole, and the most that are listed of those
 * which a change added to a longer list or removed from it.
 */
export const CHANGE_ENTRIES_MAX = 100;

/**
 * A field that a change gave another value. For a list or map with more than {@link CHANGE_ENTRIES_MAX} entries, `before` has
 * only entries that were removed and `after` only those that were added, at most that many each; an entry of a map with another
 * value is among both.
 */
export const ChangedField = z.object({
  field: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  /** Entries of such a list or map that were added, removed and left; absent where `before` and `after` are whole. */
  entries: z
    .object({ added: z.number().int(), removed: z.number().int(), unchanged: z.number().int() })
    .optional(),
});
export type ChangedField = z.infer<typeof ChangedField>;

/** The field of the change log that an undo adds to the change that it makes: its `after` is an {@link UndoneEntry}. */
export const UNDO_FIELD = 'undo_of';

/** The entry of the change log that an undo took back. */
export const UndoneEntry = z.object({
  uuid: Uuid,
  action: ChangeAction,
  author: z.string(),
  created_at: Timestamp,
});
export type UndoneEntry = z.infer<typeof UndoneEntry>;

/** A change of one entity: author, time, and the value of each field before and after. */
export const Change = z.object({
  uuid: Uuid,
  entity_type: EntityType,
  entity_uuid: Uuid,
  entity_name: z.string(),
  action: ChangeAction,
  /** The person's name, with the API key of theirs that made it, or Operator. */
  author: z.string(),
  fields: z.array(ChangedField),
  /** True where `fields` is empty because the list would be too long; the first change of a page has its fields always. */
  fields_left_out: z.boolean().optional(),
  created_at: Timestamp,
});
export type Change = z.infer<typeof Change>;

export const ListedChange = Change.extend({
  /** Whether an undo would set something back now: the entity is in use and has the values that the change gave it. */
  can_undo: z.boolean(),
});
export type ListedChange = z.infer<typeof ListedChange>;

export const ChangeList = z.object({ changes: z.array(ListedChange), total: z.number().int() });
export type ChangeList = z.infer<typeof ChangeList>;
