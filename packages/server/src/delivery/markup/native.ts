import { nativeCopiesOf } from '@bidwell/contract/creatives/native-copies';
import type { ParsedAsset, ParsedImageAsset, ParsedNative, ParsedVideo } from '../model/bid-request.ts';
import type { MediaFile, NativeCreative } from '../model/candidate.ts';
import { type NativeApp, type ShownImage, dataText, imageFits, shownImage } from '../model/native-parts.ts';

/** Inputs of a native ad's markup. All URLs are final: macros are filled in. */
export interface NativeMarkup {
  requested: ParsedNative;
  creative: NativeCreative;
  app: NativeApp & { iconLink: string | null };
  /** Square images that serve as the app's icon; unlike the store's icon their sizes are known. */
  icons: readonly MediaFile[];
  /** URL of a file, or of its sized copy with this name. */
  fileUrl: (file: MediaFile, copy: string | null) => string;
  /** VAST of a video of the ad set that meets these requirements; null if there is none. */
  vastTag: (requested: ParsedVideo) => string | null;
  clickUrl: string;
  /** Where in the app a click leads, and the address of a click that does not open the app; null where `clickUrl` decides. */
  opening: { deepLink: string; fallbackUrl: string } | null;
  /** Called when the ad is shown: our tracker, then the measurement partner's. */
  impressionUrls: readonly string[];
}

/** Native 1.2, 7.6 (event types) and 7.7 (tracking methods). */
const IMPRESSION = 1;
const IMAGE_PIXEL = 1;

/** JSON of a native ad (Native 1.2, 5): the requested assets that the ad has, each with the id from the request. */
export function nativeMarkup(ad: NativeMarkup): string {
  const { requested, impressionUrls } = ad;
  const assets = requested.assets.map((asset) => assetOf(asset, ad)).filter((asset) => asset !== null);
  const native = {
    ver: requested.version,
    assets,
    link: linkOf(ad),
    ...(requested.eventTrackers
      ? {
          eventtrackers: impressionUrls.map((url) => ({ event: IMPRESSION, method: IMAGE_PIXEL, url })),
        }
      : { imptrackers: impressionUrls }),
  };
  return JSON.stringify(requested.wrapped ? { native } : native);
}

/**
 * The link of the whole ad (Native 1.2, 5.7): a deep link is opened by the publisher's app, which calls our address as the tracker of the
 * click, or goes there where the device cannot open the deep link.
 */
function linkOf({ clickUrl, opening }: NativeMarkup): object {
  if (!opening) return { url: clickUrl };
  const { deepLink, fallbackUrl } = opening;
  return { url: deepLink, clicktrackers: [fallbackUrl], fallback: fallbackUrl };
}

function assetOf(asset: ParsedAsset, ad: NativeMarkup): object | null {
  const { creative, app } = ad;
  switch (asset.kind) {
    case 'title':
      return { id: asset.id, title: { text: shortened(creative.title || app.name, asset.lengthMax) } };
    case 'image':
      return imageOf(asset, creative.file, shownImage(asset, creative.file), ad);
    case 'icon':
      return iconOf(asset, ad);
    case 'data': {
      const value = shortened(dataText(asset.type, creative, app), asset.lengthMax);
      return value === '' ? null : { id: asset.id, data: { value } };
    }
    case 'video': {
      const vasttag = ad.vastTag(asset.video);
      return vasttag === null ? null : { id: asset.id, video: { vasttag } };
    }
    case 'other':
      return null;
  }
}

function imageOf(
  { id }: ParsedImageAsset,
  file: MediaFile,
  shown: ShownImage | null,
  { fileUrl }: NativeMarkup,
): object | null {
  return shown && { id, img: { url: fileUrl(file, shown.copy), w: shown.width, h: shown.height } };
}

/** Size of the stores' icons. */
const STORE_ICON_PX = 512;

/**
 * An icon or its copy in a fitting size; otherwise the store's, which is square and which apps scale; otherwise the image nearest
 * to the size.
 */
function iconOf(asset: ParsedImageAsset, ad: NativeMarkup): object | null {
  const file =
    ad.icons.find((icon) => imageFits(asset, icon)) ??
    ad.icons.find((icon) => shownImage(asset, icon) !== null);
  if (file) return imageOf(asset, file, shownImage(asset, file), ad);
  if (ad.app.iconLink !== null) {
    const w = asset.width || asset.widthMin || STORE_ICON_PX;
    const h = asset.height || asset.heightMin || STORE_ICON_PX;
    return { id: asset.id, img: { url: ad.app.iconLink, w, h } };
  }
  return nearestIcon(asset, ad);
}

/** The smallest icon or copy of one that is no smaller than requested; without one, the largest. Null without icons. */
function nearestIcon(asset: ParsedImageAsset, ad: NativeMarkup): object | null {
  const sides = [asset.width || asset.widthMin || 0, asset.height || asset.heightMin || 0];
  const side = Math.max(...sides) || STORE_ICON_PX;
  const shown = ad.icons
    .flatMap((file) => formsOf(file).map((form) => ({ file, form })))
    .sort((one, other) => one.form.width - other.form.width);
  const nearest = shown.find(({ form }) => form.width >= side) ?? shown.at(-1);
  return nearest ? imageOf(asset, nearest.file, nearest.form, ad) : null;
}

/** The image itself, and its sized copies. */
function formsOf(file: MediaFile): ShownImage[] {
  const copies = nativeCopiesOf(file).map(({ width, height, name }) => ({ width, height, copy: name }));
  return [{ width: file.width, height: file.height, copy: null }, ...copies];
}

/** Truncates a text to `charactersMax` with an ellipsis, between words unless that drops more than half of it. */
function shortened(text: string, charactersMax: number): string {
  const characters = Array.from(text.trim());
  if (characters.length <= charactersMax) return text.trim();
  if (charactersMax <= 1) return characters.slice(0, charactersMax).join('');
  const cut = characters.slice(0, charactersMax - 1).join('');
  const end = characters[charactersMax - 1] === ' ' ? cut.length : Math.max(cut.lastIndexOf(' '), 0);
  const words = cut.slice(0, end).trimEnd();
  return `${words.length * 2 >= cut.length ? words : cut.trimEnd()}…`;
}
