import { z } from 'zod';
import type { Os } from '../apps/fields.ts';
import { limits } from '../lib/limits.ts';
import { adsetMessages } from './messages.ts';

/** Where SKOverlay shows the app: at the bottom of the screen, or raised above it. */
export const OVERLAY_POSITIONS = ['bottom', 'raised'] as const;

const delay = z
  .number('Enter whole seconds')
  .int('Enter whole seconds')
  .min(0, 'Enter 0 or more')
  .max(limits.overlayDelayMaxSeconds, `At most ${limits.overlayDelayMaxSeconds} seconds`);

/** An SKOverlay, in which the publisher's app shows the advertised one over an ad. */
export const SkOverlay = z.object({
  /** Seconds after the ad is shown; null does not show it over the ad. */
  delay: delay.nullable(),
  /** Seconds after the end card is shown; null does not show it there. */
  end_card_delay: delay.nullable(),
  /** Whether the user can close it. */
  dismissible: z.boolean(),
  position: z.enum(OVERLAY_POSITIONS),
});
export type SkOverlay = z.infer<typeof SkOverlay>;

/** The overlay of a new ad set with one. */
export const DEFAULT_OVERLAY: SkOverlay = {
  delay: 5,
  end_card_delay: 0,
  dismissible: true,
  position: 'bottom',
};

/** {@link SkOverlay} in an input: delays that are absent do not show it, the rest is as in {@link DEFAULT_OVERLAY}. */
export const SkOverlayInput = z
  .object({
    delay: delay.nullish().transform((seconds) => seconds ?? null),
    end_card_delay: delay.nullish().transform((seconds) => seconds ?? null),
    dismissible: z
      .boolean()
      .nullish()
      .transform((can) => can ?? DEFAULT_OVERLAY.dismissible),
    position: z
      .enum(OVERLAY_POSITIONS)
      .nullish()
      .transform((position) => position ?? DEFAULT_OVERLAY.position),
  })
  .refine(
    (overlay) => overlay.delay !== null || overlay.end_card_delay !== null,
    adsetMessages.overlayNowhere,
  );

/**
 * The UUID of a custom product page, which App Store Connect shows in its address; null or empty is the default page. Apple's own
 * examples are of no variant of RFC 9562.
 */
export const ProductPageId = z
  .union([z.literal('').transform(() => null), z.guid(adsetMessages.productPageId).toLowerCase()], {
    error: adsetMessages.productPageId,
  })
  .nullish()
  .transform((id) => id ?? null);

/** Fields of an ad set that only apps of the App Store have. */
export interface AppStoreFields {
  product_page_id: string | null;
  overlay: SkOverlay | null;
}

/** The fields that an ad set of an app cannot have, with the message of each. */
export function appStoreErrors(
  os: Os,
  { product_page_id: page, overlay }: AppStoreFields,
): { field: keyof AppStoreFields; message: string }[] {
  if (os === 'ios') return [];
  const fields = [page !== null && 'product_page_id', overlay !== null && 'overlay'] as const;
  return fields.flatMap((field) => (field ? [{ field, message: adsetMessages.appStoreOnly }] : []));
}
