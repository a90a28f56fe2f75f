import { z } from 'zod';
import { AppSummary, ModerationStatus } from '../apps/schema.ts';
import { creativeTextFields } from './fields.ts';
import { inputsOf, outputsOf } from '../lib/fields.ts';
import { limits } from '../lib/limits.ts';
import { messages } from '../text/messages.ts';
import { PLAYABLE_EXITS } from './playable-exits.ts';
import { ClickUrl, ViewUrl, optionalClickUrl, optionalViewUrl } from '../tracking-links/url.ts';
import { Timestamp, Uuid, description, requiredName, title } from '../lib/wire.ts';
import { entityVersion } from '../lib/version.ts';

export const CREATIVE_TYPES = ['Banner', 'Video', 'Playable', 'Native'] as const;
export const CreativeType = z.enum(CREATIVE_TYPES, messages.required);
export type CreativeType = z.infer<typeof CreativeType>;

/** Text fields of POST /v2/internal_creative; the same form holds the files `banner`, `video` and `playable`. */
export const UploadFields = z.object({
  name: title(),
  type: CreativeType,
  app_id: Uuid,
  description,
  ...inputsOf(creativeTextFields),
});
export type UploadFields = z.infer<typeof UploadFields>;

/** PUT /internal_creative/{uuid}: the asset's texts. */
export const InternalCreativeUpdate = z
  .object({
    name: title(),
    description,
    ...inputsOf(creativeTextFields),
  })
  .partial();
export type InternalCreativeUpdate = z.infer<typeof InternalCreativeUpdate>;

/** A file of a creative in responses. */
const FileRef = z.object({ uuid: Uuid, url: z.string(), size_bytes: z.number() }).nullable();

export const InternalCreative = z.object({
  uuid: Uuid,
  name: z.string(),
  type: CreativeType,
  description: z.string(),
  ...outputsOf(creativeTextFields),
  html: z.string().nullable(),
  /** In pixels; null for a playable, which fills its frame. */
  width: z.number().nullable(),
  height: z.number().nullable(),
  duration_ms: z.number().nullable(),
  banner_id: Uuid.nullable(),
  video_id: Uuid.nullable(),
  banner_extension: z.string().nullable(),
  video_extension: z.string().nullable(),
  banner: FileRef,
  video: FileRef,
  playable: FileRef,
  /** URL of a thumbnail of the image or of a video's end card; null for a playable. */
  thumbnail: z.string().nullable(),
  /** External resources that a playable would load, as its page refers to them; empty for other types. */
  external_loads: z.array(z.string()).max(limits.externalLoadsMax),
  /** How a playable's page leads to the store; empty for other types, and for uploads before this was read. */
  exits: z.array(z.enum(PLAYABLE_EXITS)),
});
export type InternalCreative = z.infer<typeof InternalCreative>;

/**
 * POST /creative: stores URLs and texts for an uploaded asset. Its ads use these URLs, once they are approved, in place of those
 * of the ad set's tracking link.
 */
export const CreativeInput = z.object({
  internal_creative_uuid: Uuid,
  click_url: ClickUrl,
  view_url: ViewUrl,
  name: title().optional(),
  description: description.optional(),
});
export type CreativeInput = z.infer<typeof CreativeInput>;

const labels = z
  .array(requiredName(limits.labelCharsMax))
  .max(limits.labelsMax, `At most ${limits.labelsMax} labels`)
  .transform((all) => [...new Set(all)]);

/** PUT /creative/{uuid}: null or '' removes a URL, so that ads use the tracking link's URL again. */
export const CreativeUpdate = CreativeInput.omit({ internal_creative_uuid: true })
  .extend({ click_url: optionalClickUrl, view_url: optionalViewUrl, labels })
  .partial();
export type CreativeUpdate = z.infer<typeof CreativeUpdate>;

export const Creative = z.object({
  uuid: Uuid,
  status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** The version that runs while the current one awaits moderation or is rejected; null if there is none. */
  approved_version: z
    .object({
      title: z.string(),
      sponsor: z.string(),
      /** Only for native creatives; other ads do not show it. */
      description: z.string().nullable(),
      click_url: z.string().nullable(),
      view_url: z.string().nullable(),
      banner_id: Uuid.nullable(),
    })
    .nullable(),
  app: AppSummary,
  click_url: z.string().nullable(),
  view_url: z.string().nullable(),
  /** Used by the company to sort its creatives; only the company sees them. */
  labels: z.array(z.string()),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null unless archived; an archived creative does not run. */
  archived_at: Timestamp.nullable(),
  internal_creative: InternalCreative,
});
export type Creative = z.infer<typeof Creative>;

export const creativeVersion = entityVersion(Creative);

const Resolution = z.object({ width: z.number().int(), height: z.number().int() });
export type Resolution = z.infer<typeof Resolution>;

/** GET /banner: the allowed sizes of banners and native images, by group. */
export const BannerResolutions = z.object({
  default_banners: z.array(Resolution),
  medium_banners: z.array(Resolution),
  tablet_banners: z.array(Resolution),
  full_screen_banners: z.array(Resolution),
  native_banners: z.array(Resolution),
});
export type BannerResolutions = z.infer<typeof BannerResolutions>;

const sizes = (...pairs: [number, number][]): Resolution[] =>
  pairs.map(([width, height]) => ({ width, height }));

export const bannerResolutions: BannerResolutions = {
  default_banners: sizes([320, 50], [300, 50], [320, 100], [468, 60]),
  medium_banners: sizes([300, 250], [336, 280], [250, 250], [300, 600]),
  tablet_banners: sizes([728, 90], [970, 90], [970, 250]),
  full_screen_banners: sizes([320, 480], [480, 320], [768, 1024], [1024, 768], [1080, 1920], [1920, 1080]),
  native_banners: sizes([1200, 627], [1200, 628], [627, 627], [1080, 1080], [80, 80], [512, 512]),
};

/** True when a banner of this size may be uploaded. */
export function isBannerSize(width: number, height: number): boolean {
  const { native_banners: _native, ...groups } = bannerResolutions;
  return Object.values(groups)
    .flat()
    .some((size) => size.width === width && size.height === height);
}
