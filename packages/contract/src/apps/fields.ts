import { z } from 'zod';
import { AdvertiserDomain } from './advertiser-domain.ts';
import type { FormField } from '../lib/fields.ts';
import { limits } from '../lib/limits.ts';
import { HttpUrl, requiredText } from '../lib/wire.ts';
import { isIabCategory } from '../reference/iab-categories.ts';
import { appMessages } from './messages.ts';
import { messages } from '../text/messages.ts';

export const OPERATING_SYSTEMS = ['android', 'ios'] as const;
export const Os = z.enum(OPERATING_SYSTEMS, messages.required);
export type Os = z.infer<typeof Os>;

/** Measurement partners; `other` is any that is not listed. */
export const MMPS = [
  'appsflyer',
  'adjust',
  'appmetrica',
  'singular',
  'branch',
  'kochava',
  'tenjin',
  'other',
] as const;
export const Mmp = z.enum(MMPS, appMessages.mmpRequired);
export type Mmp = z.infer<typeof Mmp>;

/** The fields of an app but its name, description and review. In a form, null is no selection and '' is no text. */
export const appFields = {
  /** Defaults to the store link's. */
  os: {
    label: 'OS',
    input: Os.nullish(),
    output: Os,
    form: z.string().nullable(),
    initial: null,
    undo: false,
    example: 'android',
  },
  store_link: {
    label: 'Store link',
    input: HttpUrl,
    output: z.string(),
    form: z.string(),
    initial: '',
    undo: false,
    example: 'https://play.google.com/store/apps/details?id=com.example.harbormatch',
  },
  bundle_id: {
    label: 'Bundle',
    input: requiredText(limits.bundleMax),
    output: z.string(),
    form: z.string(),
    initial: '',
    undo: false,
    example: 'com.example.harbormatch',
  },
  size_in_kb: {
    label: 'Size',
    unit: 'kB',
    input: z
      .number()
      .int()
      .min(0)
      .max(2 ** 40)
      .nullish()
      .transform((v) => v ?? null),
    output: z.number().nullable(),
    form: z.number().nullable(),
    initial: null,
    undo: false,
    example: 148_000,
  },
  mobile_measurement_partner: {
    label: 'MMP',
    input: Mmp,
    output: Mmp,
    form: z.string().nullable(),
    initial: null,
    undo: false,
    example: 'appsflyer',
  },
  iab_category: {
    label: 'IAB category',
    input: requiredText(50).refine(isIabCategory, {
      error: 'Choose a category',
      // Without this, an empty value would get both messages.
      when: ({ issues }) => issues.length === 0,
    }),
    output: z.string(),
    form: z.string().nullable(),
    initial: null,
    undo: false,
    example: 'IAB9-30',
  },
  rating: {
    label: 'Rating',
    input: z
      .number('Enter a number')
      .min(0)
      .max(5)
      .nullish()
      .transform((v) => v ?? null),
    output: z.number().nullable(),
    form: z.number().nullable(),
    initial: null,
    undo: false,
    example: 4.6,
  },
  icon_link: {
    label: 'Icon link',
    input: HttpUrl.nullish()
      .or(z.literal(''))
      .transform((v) => v || null),
    output: z.string().nullable(),
    form: z.string(),
    initial: '',
    undo: false,
    example: 'https://cdn.example.com/harbor-match.png',
  },
  /**
   * The developer's own domain, by which publishers block advertisers (OpenRTB 2.6, 4.2.3 `adomain`). Null for apps older than
   * this field; their campaigns cannot start.
   */
  advertiser_domain: {
    label: 'Advertiser domain',
    input: AdvertiserDomain,
    output: z.string().nullable(),
    form: z.string(),
    initial: '',
    undo: false,
    example: 'harbormatch.example',
  },
} satisfies Record<string, FormField>;
