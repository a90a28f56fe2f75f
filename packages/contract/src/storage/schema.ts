import { z } from 'zod';

/** The storage of a company's uploaded files. */
export const Storage = z.object({
  used_bytes: z.number().int(),
  quota_bytes: z.number().int(),
  /** The quota once one of the company's apps is approved; null where that does not change it. */
  quota_after_approval_bytes: z.number().int().nullable(),
});
export type Storage = z.infer<typeof Storage>;
