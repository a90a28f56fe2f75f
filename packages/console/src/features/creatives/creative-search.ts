import { z } from 'zod';

const uuid = z.uuid().optional().catch(undefined);

/** URL parameters of the creatives screens, besides those of the table: type, app and selected creative. */
export const creativeSearch = z.object({
  type: z.enum(['Banner', 'Native', 'Playable', 'Video']).optional().catch(undefined),
  app: uuid,
  creative: uuid,
});
export type CreativeSearch = z.infer<typeof creativeSearch>;
