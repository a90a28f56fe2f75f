import { escapeHtml } from './escape.ts';
import type { Size } from '../model/bid-request.ts';

/** Inputs of a banner's markup. All URLs are final: macros are filled in. */
export interface BannerMarkup extends Size {
  imageUrl: string;
  clickUrl: string;
  /** Loaded together with the banner: our impression tracker, then the measurement partner's. */
  pixelUrls: readonly string[];
}

/**
 * HTML of an image banner: a linked image and tracking pixels. An image of another ratio is centered in the width and height.
 * All values are escaped.
 */
export function bannerMarkup({ imageUrl, clickUrl, pixelUrls, width, height }: BannerMarkup): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="${width}" height="${height}" alt="" style="display:block;border:0;object-fit:contain">`;
  const link = `<a href="${escapeHtml(clickUrl)}" target="_blank" rel="noopener">${image}</a>`;
  return link + pixelUrls.map(pixel).join('');
}

function pixel(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="position:absolute;left:-9999px">`;
}
