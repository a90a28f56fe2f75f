import { z } from 'zod';
import { entityId } from '../../lib/entity-id.ts';

/** URL parameters of the creatives screens, in addition to the table's: type, app and selected creative. */
export const creativeSearch = z.object({
  type: z.enum(['Banner', 'Native', 'Playable', 'Video']).optional().catch(undefined),
  app: entityId,
  creative: entityId,
});
export type CreativeSearch = z.infer<typeof creativeSearch>;
