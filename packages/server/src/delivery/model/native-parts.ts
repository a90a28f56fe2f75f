import type { ParsedImageAsset } from './bid-request.ts';
import type { MediaFile, NativeCreative, Shape } from './candidate.ts';

/** What an app adds to its native ads. */
export interface NativeApp {
  name: string;
  rating: number | null;
}

/** The types of text that a native ad may have (Native 1.2, 7.5 "Data Asset Types"). */
export const DATA_TYPES = { sponsored: 1, description: 2, rating: 3, callToAction: 12 } as const;

/** One text of a native ad; '' when it has none of the type. */
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
 * Whether an image is what an asset asks for. `w` alone is the very width; with `wmin` beside it, or alone, it may be
 * any from there on, since the app scales it (Native 1.2, 4.4).
 */
export function imageFits(
  { width, height, widthMin, heightMin, mimes }: ParsedImageAsset,
  image: Pick<MediaFile | Shape, 'width' | 'height' | 'contentType'>,
): boolean {
  return (
    sideFits(image.width, width, widthMin) &&
    sideFits(image.height, height, heightMin) &&
    (mimes.length === 0 || mimes.includes(image.contentType))
  );
}

function sideFits(side: number, exact: number, min: number): boolean {
  if (min > 0) return side >= min;
  return exact === 0 || side === exact;
}
