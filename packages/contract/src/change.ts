import { z } from 'zod';
import { Timestamp, Uuid } from './wire.ts';

export const ENTITY_TYPES = [
  'app',
  'creative',
  'creative_group',
  'target',
  'tracking_link',
  'adset',
  'campaign',
  'user',
  'company',
  'api_token',
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

/** A change of one entity: author, time, and the value of each field before and after. */
export const Change = z.object({
  uuid: Uuid,
  entity_type: EntityType,
  entity_uuid: Uuid,
  entity_name: z.string(),
  action: ChangeAction,
  /** The person's name, or Operator. */
  author: z.string(),
  fields: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
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
