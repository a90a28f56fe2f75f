import { z } from 'zod';
import { AppSummary, ModerationStatus } from './app.ts';
import { limits } from './limits.ts';
import { messages } from './messages.ts';
import { Timestamp, Uuid, description, optionalHttpUrl, title } from './wire.ts';

export const CREATIVE_TYPES = ['Banner', 'Video', 'Playable', 'Native'] as const;
export const CreativeType = z.enum(CREATIVE_TYPES, messages.required);
export type CreativeType = z.infer<typeof CreativeType>;

const short = (max: number) =>
  z
    .string()
    .trim()
    .max(max, `At most ${max} characters`)
    .nullish()
    .transform((v) => v ?? '');

/** The text fields of POST /v2/internal_creative; the files `banner`, `video`, `playable` come beside them. */
export const UploadFields = z.object({
  name: title(),
  type: CreativeType,
  app_id: Uuid,
  description,
  sponsor: short(limits.nativeSponsorMax),
  title: short(limits.nativeTitleMax),
});
export type UploadFields = z.infer<typeof UploadFields>;

/** PUT /internal_creative/{uuid}: texts of the asset. */
export const InternalCreativeUpdate = z
  .object({
    name: title(),
    description,
    sponsor: short(limits.nativeSponsorMax),
    title: short(limits.nativeTitleMax),
  })
  .partial();
export type InternalCreativeUpdate = z.infer<typeof InternalCreativeUpdate>;

/** A file of a creative as the console shows it. */
const FileRef = z.object({ uuid: Uuid, url: z.string(), size_bytes: z.number() }).nullable();

export const InternalCreative = z.object({
  uuid: Uuid,
  name: z.string(),
  type: CreativeType,
  description: z.string(),
  sponsor: z.string(),
  title: z.string(),
  html: z.string().nullable(),
  /** Pixels; null for a playable, which fills its frame. */
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
  /** Address of a small picture for lists: of the image, or of a video's end card; null for a playable. */
  thumbnail: z.string().nullable(),
  /** What a playable would load from elsewhere, as it is written in the page; empty for the other types. */
  external_loads: z.array(z.string()).max(limits.externalLoadsMax),
});
export type InternalCreative = z.infer<typeof InternalCreative>;

/**
 * POST /creative: stores URLs and texts with an uploaded asset. The URLs are optional: ads use those of the tracking link of
 * their ad set, also where the creative has its own.
 */
export const CreativeInput = z.object({
  internal_creative_uuid: Uuid,
  click_url: optionalHttpUrl,
  view_url: optionalHttpUrl,
  name: title().optional(),
  description: description.optional(),
});
export type CreativeInput = z.infer<typeof CreativeInput>;

export const CreativeUpdate = CreativeInput.omit({ internal_creative_uuid: true }).partial();
export type CreativeUpdate = z.infer<typeof CreativeUpdate>;

export const Creative = z.object({
  uuid: Uuid,
  status: ModerationStatus,
  rejection_reason: z.string().nullable(),
  /** What runs while the version that is read here waits for its decision, or was rejected; null where nothing does. */
  approved_version: z
    .object({
      title: z.string(),
      sponsor: z.string(),
      /** Of a native creative: of the others nobody sees it. */
      description: z.string().nullable(),
      click_url: z.string().nullable(),
      view_url: z.string().nullable(),
      banner_id: Uuid.nullable(),
    })
    .nullable(),
  app: AppSummary,
  click_url: z.string().nullable(),
  view_url: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  /** Null while it is not archived; what is archived does not run. */
  archived_at: Timestamp.nullable(),
  internal_creative: InternalCreative,
});
export type Creative = z.infer<typeof Creative>;

const Resolution = z.object({ width: z.number().int(), height: z.number().int() });
export type Resolution = z.infer<typeof Resolution>;

/** GET /banner: the sizes that banners and native images may have, by group. */
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
