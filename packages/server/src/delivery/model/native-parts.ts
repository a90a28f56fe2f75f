import { nativeCopiesOf } from '@bidwell/contract/creatives/native-copies';
import type { ParsedImageAsset } from './bid-request.ts';
import type { NativeCreative } from './candidate.ts';

/** Properties of the advertised app that native ads show. */
export interface NativeApp {
  name: string;
  rating: number | null;
}

/** Data assets that a native ad may have (Native 1.2, 7.5 "Data Asset Types"). */
export const DATA_TYPES = { sponsored: 1, description: 2, rating: 3, callToAction: 12 } as const;

/** Text of a data asset; '' when the ad has none of that type. */
export function dataText(type: number, creative: NativeCreative, app: NativeApp): string {
  switch (type) {
    case DATA_TYPES.sponsored:
      return creative.sponsor || app.name;
    case DATA_TYPES.description:
      return creative.description;
    case DATA_TYPES.rating:
      return app.rating === null ? '' : String(app.rating);
    case DATA_TYPES.callToAction:
      return 'Install';
    default:
      return '';
  }
}

/** The properties that decide which image assets an image can serve as. */
interface Image {
  width: number;
  height: number;
  /** Media type without parameters. */
  contentType: string;
}

/** The form in which a native image is served: itself, or its sized copy with this name. */
export interface ShownImage {
  width: number;
  height: number;
  /** Null for the image itself. */
  copy: string | null;
}

/**
 * How an image meets the requirements of an image asset: itself if it does, else the sized copy that leaves out least of it.
 * Null if neither does.
 */
export function shownImage(asset: ParsedImageAsset, image: Image): ShownImage | null {
  if (imageFits(asset, image)) return { width: image.width, height: image.height, copy: null };
  const { contentType } = image;
  const copy = nativeCopiesOf(image).find(({ width, height }) =>
    imageFits(asset, { width, height, contentType }),
  );
  return copy ? { width: copy.width, height: copy.height, copy: copy.name } : null;
}

/**
 * Whether an image meets the requirements of an image asset. `w` alone requires that exact width; with `wmin` any width
 * from `wmin` on fits, since the app scales the image (Native 1.2, 4.4); so a `wmin` of 0 admits all. Heights likewise.
 */
export function imageFits(
  { width, height, widthMin, heightMin, mimes }: ParsedImageAsset,
  image: Image,
): boolean {
  return (
    sideFits(image.width, width, widthMin) &&
    sideFits(image.height, height, heightMin) &&
    (mimes.length === 0 || mimes.includes(image.contentType))
  );
}

function sideFits(side: number, exact: number, min: number | null): boolean {
  if (min !== null) return side >= min;
  return exact === 0 || side === exact;
}
