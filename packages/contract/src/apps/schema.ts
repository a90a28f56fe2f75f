import { z } from 'zod';
import { Os, appFields } from './fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { limits } from '../lib/limits.ts';
import { messages } from '../text/messages.ts';
import { Timestamp, Uuid, description, requiredText, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const ModerationStatus = z.enum(['Moderation', 'Approved', 'Rejected']);
export type ModerationStatus = z.infer<typeof ModerationStatus>;

export const AppInput = z.object({
  name: title(),
  description,
  ...inputsOf(appFields),
});
export type AppInput = z.infer<typeof AppInput>;

/** A partial update: absent fields stay as they are. */
export const AppUpdate = AppInput.partial();
export type AppUpdate = z.infer<typeof AppUpdate>;

export const App = z.object({
  uuid: Uuid,
  name: z.string(),
  description: z.string(),
  ...outputsOf(appFields),
  status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** The version that runs while the current one awaits moderation or is rejected; null if there is none. */
  approved_version: z
    .object({
      name: z.string(),
      os: Os,
      store_link: z.string(),
      bundle_id: z.string(),
      icon_link: z.string().nullable(),
    })
    .nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; ads of an archived app do not run. */
  archived_at: Timestamp.nullable(),
});
export type App = z.infer<typeof App>;

export const appVersion = entityVersion(App);

/** How an app appears inside other entities. */
export const AppSummary = App.pick({
  uuid: true,
  name: true,
  os: true,
  icon_link: true,
  store_link: true,
  bundle_id: true,
  mobile_measurement_partner: true,
});
export type AppSummary = z.infer<typeof AppSummary>;

/** DELETE /app/batch */
export const AppBatch = z.object({ uuids: z.array(Uuid).min(1, messages.required).max(limits.listMax) });

/** POST /app/parse */
export const StoreLinkInput = z.object({ link: requiredText(limits.urlMax) });

/**
 * Data from a store link and, where the store's page could be fetched, from that page. `missing` lists the fields of
 * {@link AppInput} that the user must fill in.
 */
export const ParsedStoreLink = z.object({
  os: Os,
  /** Android: the package name. iOS: the bundle id from the store's page, else the numeric store id from the link. */
  bundle_id: z.string(),
  /** The link without parameters that do not identify the app. */
  store_link: z.string(),
  name: z.string().nullable(),
  icon_link: z.string().nullable(),
  rating: z.number().nullable(),
  size_in_kb: z.number().int().nullable(),
  iab_category: z.string().nullable(),
  description: z.string().nullable(),
  /** Domain of the developer's website on the store's page. */
  advertiser_domain: z.string().nullable(),
  missing: z.array(z.string()),
});
export type ParsedStoreLink = z.infer<typeof ParsedStoreLink>;
