import { PRODUCT } from '@bidwell/contract/branding/product';
import { escapedHtml, mailPage } from '../mail/mail-page.ts';
import type { Mail } from '../mail/mailer.ts';
import type { InstallationBrand } from './brand-reader.ts';
import { logoPath } from './page-brand.ts';

const LOGO_HEIGHT_PX = 32;

/** The sender of mails. */
export interface Sender {
  name: string;
  address: string;
}

/**
 * The name and the address of a mail header such as `Ads <no-reply@example.com>`. The name that operators chose replaces the name in the
 * header, and the name of the brand in place of the product's or if the header has none. Pure.
 */
export function senderOf(from: string, { settings }: Pick<InstallationBrand, 'settings'>): Sender {
  const end = from.trimEnd().endsWith('>') ? from.lastIndexOf('<') : -1;
  const address = end < 0 ? from.trim() : from.slice(end + 1, from.lastIndexOf('>')).trim();
  const given = from.slice(0, Math.max(end, 0)).trim().replaceAll('"', '');
  const ofHeader = given === '' || given === PRODUCT ? settings.name : given;
  return { name: settings.mail_sender_name ?? ofHeader, address };
}

/** A mail as a whole page, with the logo above and the links of the brand below, where there are any. Pure. */
export function brandedMail<Content extends Mail>(
  mail: Content,
  { settings, logo }: InstallationBrand,
  consoleUrl: string,
): Content {
  const { name, terms_url: terms, privacy_url: privacy } = settings;
  const links = [
    ...(terms === null ? [] : [['Terms', terms] as const]),
    ...(privacy === null ? [] : [['Privacy', privacy] as const]),
  ];
  const head = logo
    ? `<p><img src="${consoleUrl}${logoPath(logo)}" alt="${escapedHtml(name)}" height="${LOGO_HEIGHT_PX}" ` +
      `width="${Math.round((logo.width / logo.height) * LOGO_HEIGHT_PX)}"></p>\n`
    : '';
  if (links.length === 0) return { ...mail, html: mailPage(head + mail.html) };
  const text = [`${mail.text.trimEnd()}\n\n-- \n${name}`, ...links.map(([label, url]) => `${label}: ${url}`)];
  const html = links.map(([label, url]) => `<a href="${escapedHtml(url)}">${label}</a>`).join(' · ');
  return {
    ...mail,
    text: `${text.join('\n')}\n`,
    html: mailPage(`${head}${mail.html.trimEnd()}\n<p>${escapedHtml(name)} · ${html}</p>`),
  };
}
