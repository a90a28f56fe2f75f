import { COARSE_VALUES, FINE_VALUE_MAX } from '@bidwell/contract/skadnetwork/postbacks';
import { z } from 'zod';
import type { ClaimedBy, InstallPostback } from './postback.ts';

/** Ids of an ad network, such as `example123.skadnetwork`. */
export const NetworkId = z.string().regex(/^[A-Za-z\d][\w.-]{0,99}$/);
/** The device makes it a UUID; the longest that is stored has 64 characters. */
export const TransactionId = z.string().regex(/^[\w-]{1,64}$/);
/** Ids of the App Store; 0 in tests. JSON's numbers beyond 2^53 would be printed differently from how they were signed. */
export const ItemId = z.int().min(0);
export const Digits = z.string().regex(/^\d{2,4}$/);
export const WindowIndex = z.int().min(0).max(2);

/** Nothing signs these, so that one which is not valid is left out and the postback still counts. */
export const unsignedFields = {
  'conversion-value': z.int().min(0).max(FINE_VALUE_MAX).optional().catch(undefined),
  'country-code': z
    .string()
    .regex(/^[A-Za-z]{2}$/)
    .transform((code) => code.toUpperCase())
    .optional()
    .catch(undefined),
};
/** Of SKAdNetwork 4.0 and AdAttributionKit; postbacks of earlier versions have none. */
export const coarseField = {
  'coarse-conversion-value': z.enum(COARSE_VALUES).optional().catch(undefined),
};
const Unsigned = z.object({ ...unsignedFields, ...coarseField }).partial();

type ValueOf = Pick<InstallPostback, 'fineValue' | 'coarseValue' | 'country'>;

/**
 * The values that are beside a signature. Apple sends none for an ad that did not win, a fine one only in the first window, and never
 * both a fine and a coarse one; others were added by someone else.
 */
export function valuesOf(
  unsigned: z.infer<typeof Unsigned>,
  { didWin, sequenceIndex }: Pick<InstallPostback, 'didWin' | 'sequenceIndex'>,
): ValueOf {
  const country = unsigned['country-code'] ?? null;
  if (!didWin) return { fineValue: null, coarseValue: null, country };
  const fineValue = sequenceIndex === 0 ? (unsigned['conversion-value'] ?? null) : null;
  const coarseValue = fineValue === null ? (unsigned['coarse-conversion-value'] ?? null) : null;
  return { fineValue, coarseValue, country };
}

const Claims = z.object({
  itemId: ItemId.transform(String).catch(''),
  networkId: NetworkId.transform((id) => id.toLowerCase()).catch(''),
});

/** The app and the network that a postback names, as far as they can be read. */
export function claimsOf(itemId: unknown, networkId: unknown): ClaimedBy {
  return Claims.parse({ itemId, networkId });
}
