import type { TrackingLink } from '@bidwell/contract/tracking-link';
import { z } from 'zod';

/** The values of a tracking link's form. Also the schema of its draft. */
export const TrackingLinkValues = z.object({
  app_id: z.string(),
  name: z.string(),
  description: z.string(),
  click_url: z.string(),
  view_url: z.string(),
});
export type TrackingLinkValues = z.infer<typeof TrackingLinkValues>;

/** The form values of an existing link, or those of an empty form. */
export function valuesOf(link: TrackingLink | undefined): TrackingLinkValues {
  return {
    app_id: link?.app_id ?? '',
    name: link?.name ?? '',
    description: link?.description ?? '',
    click_url: link?.click_url ?? '',
    view_url: link?.view_url ?? '',
  };
}
