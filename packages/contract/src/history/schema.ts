import { z } from 'zod';
import { type Change, EntityType } from '../changes/schema.ts';
import { Uuid } from '../lib/wire.ts';

/** POST /changes/{uuid}/undo: the entity whose fields have their earlier values again. */
export const UndoneChange = z.object({ entity_type: EntityType, entity_uuid: Uuid });
export type UndoneChange = z.infer<typeof UndoneChange>;

/** Whether a change starts or pauses a campaign, which is undone by the opposite call. */
export const isStartOrPause = ({ entity_type: type, action }: Pick<Change, 'entity_type' | 'action'>) =>
  type === 'campaign' && (action === 'start' || action === 'pause');
