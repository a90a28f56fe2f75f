import { type Resolution, bannerResolutions } from './schema.ts';

/** Sizes of main images that IAB's layouts and common exchanges request. */
const MAIN =
  '1200x628 1200x627 1080x607 960x540 800x418 640x360 640x335 600x315 600x314 382x200 300x157'.split(' ');
/** Sides of square images, most of them icons. */
const SQUARE = [627, 600, 512, 400, 300, 256, 200, 192, 150, 128, 120, 100, 96, 80, 75, 64, 50];

/**
 * Names of the sizes in which native images are served in addition to the original. The list is short because each copy is a file of its
 * own.
 */
export const nativeCopyNames: readonly string[] = [...MAIN, ...SQUARE.map((side) => `${side}x${side}`)];

/** A size in which an image is served, by scaling it and cropping the excess. */
export interface NativeCopy extends Resolution {
  /** `{width}x{height}`. */
  name: string;
}

/** The share of an image, of its width or height, that a copy may leave out: titles often reach near the edge. */
const CROPPED_SHARE_MAX = 0.1;
/** Copies are never enlarged, except by the pixel between 1200×627 and 1200×628. */
const SCALE_MAX = 1.002;

const copies = nativeCopyNames.map((name): NativeCopy => {
  const [width = 0, height = 0] = name.split('x').map(Number);
  return { name, width, height };
});

function croppedShare(image: Resolution, copy: Resolution): number {
  const [x, y] = [copy.width / image.width, copy.height / image.height];
  return 1 - Math.min(x, y) / Math.max(x, y);
}

function canBeMade(image: Resolution, copy: Resolution): boolean {
  const isItself = copy.width === image.width && copy.height === image.height;
  const scale = Math.max(copy.width / image.width, copy.height / image.height);
  return !isItself && scale <= SCALE_MAX && croppedShare(image, copy) <= CROPPED_SHARE_MAX;
}

const nameOf = ({ width, height }: Resolution): string => `${width}x${height}`;

const byImage = new Map(
  bannerResolutions.native_banners.map((image) => [
    nameOf(image),
    copies
      .filter((copy) => canBeMade(image, copy))
      .sort((one, other) => croppedShare(image, one) - croppedShare(image, other)),
  ]),
);

/**
 * The copies of a native image, the ones that crop least first. They follow from its size and type alone, so a bid can name
 * one without looking for its file. A GIF, which may be animated, has none, and neither has an image in a size that native creatives
 * cannot have.
 */
export function nativeCopiesOf({
  width,
  height,
  contentType,
}: Resolution & { contentType: string }): readonly NativeCopy[] {
  if (contentType === 'image/gif') return [];
  return byImage.get(nameOf({ width, height })) ?? [];
}
