import { z } from 'zod';
import { asciiDomain } from '../accounts/domain.ts';
import { limits } from '../lib/limits.ts';
import { isHttpUrl, requiredName, requiredText } from '../lib/wire.ts';
import { PRODUCT } from './product.ts';
import { brandMessages } from '../text/brand-messages.ts';
import {
  CONTRAST_MIN,
  HEX_COLOR,
  darkContrast,
  lightContrast,
  readableOnDark,
  readableOnLight,
} from './color.ts';
import { entityVersion } from '../lib/version.ts';

/** Most host names of a brand, in addition to the host of PUBLIC_URL. */
export const BRAND_DOMAINS_MAX = 10;

const Color = z.string().regex(HEX_COLOR, brandMessages.color).toLowerCase();

const PageUrl = requiredText(limits.urlMax).refine(
  (url) => isHttpUrl(url) && url.startsWith('https://'),
  brandMessages.pageUrl,
);

/** A host name in lower case, without a port. */
const HostName = z
  .string()
  .trim()
  .toLowerCase()
  .overwrite(asciiDomain)
  .max(253, brandMessages.domain)
  .regex(/^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,61}[a-z\d]$/, brandMessages.domain);

/** PUT /brand of operators: the name and the look of the installation. */
export const BrandSettings = z
  .object({
    /** Name of the product in the console, in mails and on invoices. */
    name: requiredName(40),
    /** Colour of buttons, and of links in the light scheme; null for the product's own colour. */
    accent: Color.nullable(),
    /** Colour of links in the dark scheme; null for the accent, lightened until it can be read. */
    accent_dark: Color.nullable(),
    /** The sender's name in mails; null for the brand's name. The address is a setting of the server. */
    mail_sender_name: requiredName(60).nullable(),
    terms_url: PageUrl.nullable(),
    privacy_url: PageUrl.nullable(),
    /** Host names at which the console is reached, in addition to the host of PUBLIC_URL; links in mails have the first. */
    domains: z.array(HostName).max(BRAND_DOMAINS_MAX, `At most ${BRAND_DOMAINS_MAX} domains`),
  })
  .superRefine(({ accent, accent_dark: dark, domains }, context) => {
    const reject = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (new Set(domains).size < domains.length) reject('domains', brandMessages.domainTwice);
    if (accent === null) {
      if (dark !== null) reject('accent_dark', brandMessages.accentFirst);
      return;
    }
    const light = lightContrast(accent);
    if (light < CONTRAST_MIN) reject('accent', brandMessages.tooLight(light, readableOnLight(accent)));
    else if (dark !== null && darkContrast(dark, accent) < CONTRAST_MIN)
      reject('accent_dark', brandMessages.tooDark(darkContrast(dark, accent), readableOnDark(dark, accent)));
  });
export type BrandSettings = z.infer<typeof BrandSettings>;

/** The settings where no operator has made any. */
export const DEFAULT_BRAND: BrandSettings = {
  name: PRODUCT,
  accent: null,
  accent_dark: null,
  mail_sender_name: null,
  terms_url: null,
  privacy_url: null,
  domains: [],
};

/** The stored logo. */
export const BrandLogo = z.object({
  /** Path of the image, which is public. */
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
});
export type BrandLogo = z.infer<typeof BrandLogo>;

/** The brand as operators read it. */
export const Brand = z.object({
  settings: BrandSettings,
  logo: BrandLogo.nullable(),
  /** The address that mails are from; null where the server sends none. */
  mail_address: z.string().nullable(),
});
export type Brand = z.infer<typeof Brand>;

export const brandVersion = entityVersion(Brand, ['mail_address']);

/** PUT /brand/logo: a PNG, JPEG or WebP image, of which only the pixels are stored. */
export const LogoInput = z.object({
  image: z
    .base64(brandMessages.logoType)
    .max(Math.ceil(limits.logoBytesMax / 3) * 4, brandMessages.logoTooLarge),
});
export type LogoInput = z.infer<typeof LogoInput>;
