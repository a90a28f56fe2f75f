import { POSTBACK_KEYS, POSTBACK_KEYS_MAX, type PostbackKey } from '@bidwell/contract/skadnetwork/report';
import { z } from 'zod';
import { entityId } from '../../../lib/entity-id.ts';

/** URL parameters of /reports/skadnetwork; an invalid one falls back to its default. */
export const skadnetworkSearch = z.object({
  /** Keys with commas between; ad set and window by default. */
  by: z.string().max(200).optional().catch(undefined),
  app: entityId,
  /** The group of the comparison; by default the one that suits the range. */
  group: z.enum(['day', 'week']).optional().catch(undefined),
});
export type SkadnetworkSearch = z.infer<typeof skadnetworkSearch>;

const DEFAULT_KEYS: readonly PostbackKey[] = ['adset', 'window'];

/** The keys in the URL. Pure. */
export function keysIn({ by }: SkadnetworkSearch): readonly PostbackKey[] {
  const names = by?.split(',') ?? [];
  const keys = POSTBACK_KEYS.filter((key) => names.includes(key)).slice(0, POSTBACK_KEYS_MAX);
  return keys.length === 0 ? DEFAULT_KEYS : keys;
}
