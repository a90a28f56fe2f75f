import { z } from 'zod';

const uuid = z.uuid().optional().catch(undefined);

/** What the screens of creatives keep in the address beside the table: panel, app, and the creative that is shown. */
export const creativeSearch = z.object({
  type: z.enum(['Banner', 'Native', 'Playable', 'Video']).optional().catch(undefined),
  app: uuid,
  creative: uuid,
});
export type CreativeSearch = z.infer<typeof creativeSearch>;
