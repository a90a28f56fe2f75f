import { escapeHtml } from './escape.ts';
import type { Size } from '../model/bid-request.ts';

/** What a banner's markup is made of; all addresses are complete. */
export interface BannerMarkup extends Size {
  imageUrl: string;
  clickUrl: string;
  /** Loaded when the banner is: our impression tracker first, then the measurement partner's. */
  pixelUrls: readonly string[];
}

/** The HTML of an image banner: the image in a link, and its pixels. Every value is escaped. */
export function bannerMarkup({ imageUrl, clickUrl, pixelUrls, width, height }: BannerMarkup): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="${width}" height="${height}" alt="" style="display:block;border:0">`;
  const link = `<a href="${escapeHtml(clickUrl)}" target="_blank" rel="noopener">${image}</a>`;
  return link + pixelUrls.map(pixel).join('');
}

function pixel(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="position:absolute;left:-9999px">`;
}
