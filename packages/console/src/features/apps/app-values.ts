import type { App } from '@bidwell/contract/app';
import { z } from 'zod';

const number = z.number().nullable();

/** An app as its form holds it: not chosen is null, not written is empty. */
export const AppValues = z.object({
  store_link: z.string(),
  os: z.string().nullable(),
  name: z.string(),
  description: z.string(),
  bundle_id: z.string(),
  iab_category: z.string().nullable(),
  mobile_measurement_partner: z.string().nullable(),
  rating: number,
  size_in_kb: number,
  icon_link: z.string(),
  advertiser_domain: z.string(),
});
export type AppValues = z.infer<typeof AppValues>;

export const emptyApp: AppValues = {
  store_link: '',
  os: null,
  name: '',
  description: '',
  bundle_id: '',
  iab_category: null,
  mobile_measurement_partner: null,
  rating: null,
  size_in_kb: null,
  icon_link: '',
  advertiser_domain: '',
};

/** An app that is there, for its form. */
export function appValues(app: App): AppValues {
  return AppValues.parse({
    ...app,
    icon_link: app.icon_link ?? '',
    advertiser_domain: app.advertiser_domain ?? '',
  });
}
