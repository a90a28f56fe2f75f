import { limits } from '../lib/limits.ts';

const ratio = (contrast: number) => `${(Math.floor(contrast * 10) / 10).toFixed(1)}:1`;

/** Messages about the brand of an installation. */
export const brandMessages = {
  color: 'Enter a colour such as #1c53bd',
  tooLight: (contrast: number, near: string) =>
    `White text on it, or text of this colour on white, has a contrast of ${ratio(contrast)}; it needs 4.5:1. ${near} has it.`,
  tooDark: (contrast: number, near: string) =>
    `On the backgrounds of the dark scheme its contrast is ${ratio(contrast)}; it needs 4.5:1. ${near} has it.`,
  accentFirst: 'Enter the colour of the light scheme first',
  pageUrl: 'Enter a URL that starts with https://',
  domain: 'Enter a host name such as ads.example.com',
  domainTwice: 'A domain is in the list twice',
  logoType: 'The logo must be a PNG, JPEG or WebP image',
  logoTooLarge: `A logo may have at most ${limits.logoBytesMax / 1024} kB`,
  logoSize: (minPx: number) => `A logo must be at least ${minPx} pixels wide and high`,
  logoShape: 'A logo may be at most eight times as wide as high, and no higher than wide',
} as const;
