import { z } from 'zod';
import { entityId } from '../lib/entity-id.ts';

const text = z.string().optional().catch(undefined);

/** Table state in the URL. An invalid value falls back to its default. */
export const tableSearch = z.object({
  q: text,
  sort: text,
  page: z.number().int().min(1).optional().catch(undefined),
  size: z.number().int().min(1).max(200).optional().catch(undefined),
  archived: z.boolean().optional().catch(undefined),
  status: text,
  app: entityId,
  kind: text,
});
