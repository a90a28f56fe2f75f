import { z } from 'zod';
import { Timestamp, Uuid } from '../lib/wire.ts';

/** An id of digits alone needs as many as this: shorter ones also occur as times and amounts. */
const DIGITS_MIN = 14;
const CHARS_MIN = 8;
const CHARS_MAX = 100;

/** Why a text cannot be the id of one device; null if it can. */
function idProblem(id: string): string | null {
  if (id.length < CHARS_MIN) return `An id has at least ${CHARS_MIN} characters`;
  if (id.length > CHARS_MAX) return `An id has at most ${CHARS_MAX} characters`;
  if (!/^[\w.:@-]+$/.test(id)) return 'An id has letters, digits and . : @ _ - only';
  if (!/\d/.test(id) || id.replaceAll(/[^a-z\d]/gi, '').length < CHARS_MIN)
    return `An id has a digit, and at least ${CHARS_MIN} letters and digits: a word is in the postbacks of other people too`;
  if (/^[0-]+$/.test(id)) return 'Zeros are no id: devices send them in place of one';
  if (!/[a-z]/i.test(id) && id.replaceAll(/\D/g, '').length < DIGITS_MIN)
    return `An id of digits only needs ${DIGITS_MIN} of them: a shorter one also occurs as a time or an amount`;
  return /^\d{4}-\d\d-\d\dT/i.test(id) ? 'A time is no id' : null;
}

/**
 * POST /device-erasures: the id of a device or a person, as measurement partners report it. Words, dates and short numbers are refused:
 * they are in the postbacks of other people.
 */
export const DeviceErasureInput = z.object({
  id: z
    .string()
    .trim()
    .superRefine((id, context) => {
      const message = idProblem(id);
      if (message !== null) context.addIssue({ code: 'custom', message });
    }),
  /**
   * Also where the postbacks of many clicks have the id. Without it such an id is refused, since it may identify a kind of device or a
   * publisher; but anyone may send postbacks with the id of a device.
   */
  even_if_shared: z.boolean().default(false),
});
export type DeviceErasureInput = z.infer<typeof DeviceErasureInput>;

/** An erasure of a device, without its id. */
export const DeviceErasure = z.object({
  uuid: Uuid,
  /** Stands for the id, also in the audit log. A repeated erasure of the same id has the same. */
  id_hash: z.string(),
  requested_at: Timestamp,
  /** When the removal ended, including events that were still on their way; null before that. */
  finished_at: Timestamp.nullable(),
  /** From then on later postbacks count again; null for an erasure that holds. */
  revoked_at: Timestamp.nullable(),
  /** Postbacks that were deleted, or whose parameters were, so far. */
  postbacks: z.number().int(),
  /** In-app events that were deleted so far, and their rejections. */
  events: z.number().int(),
  /** Distinct clicks and views that the postbacks named. */
  clicks: z.number().int(),
  /** Audiences that had the id, and were written anew without it. */
  audiences: z.number().int(),
});
export type DeviceErasure = z.infer<typeof DeviceErasure>;
