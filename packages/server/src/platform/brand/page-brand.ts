import type { PageBrand } from '@bidwell/contract/branding/product';
import { paletteOf } from '@bidwell/contract/branding/color';
import { type PublicAddress, publicUrlOf } from '../http/public-url.ts';
import { escapedHtml } from '../mail/mail-page.ts';
import type { InstallationBrand, LogoRow } from './brand-reader.ts';

/** Path of the images of the logo, which are public. */
export const BRAND_PATH = '/brand/';

/** Placeholder in the page for {@link PageBrand}. */
const BRAND_PLACE = '__BRAND__';

/** Path of the logo for screens, or of its square form. */
export function logoPath({ sha256 }: Pick<LogoRow, 'sha256'>, form: 'logo' | 'icon' = 'logo'): string {
  return `${BRAND_PATH}${form}-${sha256}.png`;
}

/** The fields of the brand that a page shows. Pure. */
export function pageBrandOf({ settings, logo }: InstallationBrand): PageBrand {
  const { name, accent, accent_dark, terms_url: termsUrl, privacy_url: privacyUrl } = settings;
  return {
    name,
    logo: logo && { url: logoPath(logo), width: logo.width, height: logo.height },
    palette: accent === null ? null : paletteOf({ accent, accent_dark }),
    termsUrl,
    privacyUrl,
  };
}

/** The page of the console with its brand in the first bytes, so that nothing else is shown for a moment. Pure. */
export function brandedPage(page: string, brand: InstallationBrand): string {
  const { logo, settings } = brand;
  const branded = page
    .replace(BRAND_PLACE, () => escapedHtml(JSON.stringify(pageBrandOf(brand))))
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapedHtml(settings.name)}</title>`);
  if (!logo) return branded;
  return branded.replace(
    /<link rel="icon"[^<>]*>/,
    () => `<link rel="icon" type="image/png" href="${logoPath(logo, 'icon')}" />`,
  );
}

/** The origins of the brand's domains: they have the protocol and the port of PUBLIC_URL. Pure. */
export function domainOrigins(
  { settings }: Pick<InstallationBrand, 'settings'>,
  address: PublicAddress,
): string[] {
  const { protocol, port } = new URL(publicUrlOf(address));
  return settings.domains.map((domain) => `${protocol}//${domain}${port && `:${port}`}`);
}

/** All origins at which the console is reached, the origin of PUBLIC_URL first. Pure. */
export function consoleOrigins(brand: Pick<InstallationBrand, 'settings'>, address: PublicAddress): string[] {
  return [new URL(publicUrlOf(address)).origin, ...domainOrigins(brand, address)];
}

/** The URL of the console for links in mails: the brand's first domain, or PUBLIC_URL. Pure. */
export function consoleUrlOf(brand: InstallationBrand, address: PublicAddress): string {
  return domainOrigins(brand, address)[0] ?? publicUrlOf(address);
}
