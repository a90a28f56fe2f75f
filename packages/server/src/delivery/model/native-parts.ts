import type { ParsedImageAsset } from './bid-request.ts';
import type { MediaFile, NativeCreative, CreativeFormat } from './candidate.ts';

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

/**
 * Whether an image meets the requirements of an image asset. `w` alone requires that exact width; with `wmin` any width
 * from `wmin` on fits, since the app scales the image (Native 1.2, 4.4); so a `wmin` of 0 admits all. Heights likewise.
 */
export function imageFits(
  { width, height, widthMin, heightMin, mimes }: ParsedImageAsset,
  image: Pick<MediaFile | CreativeFormat, 'width' | 'height' | 'contentType'>,
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
