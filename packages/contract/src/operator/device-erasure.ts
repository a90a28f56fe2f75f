import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** An id of digits only needs as many as this: shorter ones also occur as times and amounts. */
const DIGITS_MIN = 14;

/** POST /device-erasures: the id of a device or a person, as measurement partners report it. */
export const DeviceErasureInput = z.object({
  id: z
    .string()
    .trim()
    .min(8, 'An id has at least 8 characters')
    .max(100, 'An id has at most 100 characters')
    .regex(/^[\w.:@-]+$/, 'An id has letters, digits and . : @ _ - only')
    .refine((id) => !/^\d+$/.test(id) || id.length >= DIGITS_MIN, {
      message: `An id of digits only needs ${DIGITS_MIN} of them: a shorter one also occurs as a time or an amount`,
    })
    .refine((id) => !/^[0-]+$/.test(id), { message: 'Zeros are no id: devices send them in place of one' }),
});
export type DeviceErasureInput = z.infer<typeof DeviceErasureInput>;

/** An erasure of a device, without its id. */
export const DeviceErasure = z.object({
  uuid: Uuid,
  /** Stands for the id, also in the audit log. A repeated erasure of the same id has the same. */
  id_hash: z.string(),
  requested_at: Timestamp,
  /** Until then what was on its way is looked for; null while that lasts. */
  finished_at: Timestamp.nullable(),
  /** Postbacks that were deleted, or whose parameters were, so far. */
  postbacks: z.number().int(),
  /** In-app events that were deleted so far, and their rejections. */
  events: z.number().int(),
  /** Distinct clicks and views that the postbacks named. */
  clicks: z.number().int(),
});
export type DeviceErasure = z.infer<typeof DeviceErasure>;
