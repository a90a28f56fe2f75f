import type { App } from '@bidwell/contract/apps/schema';
import { z } from 'zod';

const number = z.number().nullable();

/** The values of an app's form: null for no selection, '' for no text. */
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

/** The form values of an existing app. */
export function appValues(app: App): AppValues {
  return AppValues.parse({
    ...app,
    icon_link: app.icon_link ?? '',
    advertiser_domain: app.advertiser_domain ?? '',
  });
}
