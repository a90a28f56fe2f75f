import { limits } from '@bidwell/contract/lib/limits';
import { memoizeText } from '../../../platform/memoize-text.ts';
import { type JsonObject, arrayOf, flagOf, integerOf, isObject, objectOf, textOf } from '../json.ts';
import { readContentTypes, readCodes } from './read-imp-fields.ts';
import { readVideo } from './read-video.ts';
import type { ParsedAsset, ParsedNative } from '../../model/bid-request.ts';

const ASSETS_MAX = 50;
const TRACKERS_MAX = 50;
const REQUEST_CHARS_MAX = 64 * 1024;
/** At most two megabytes of texts. */
const MEMO_LIMITS = { entriesMax: 500, charsMax: 2000 };

/** Native 1.2, 7.4 (image types), 7.6 (event types) and 7.7 (methods). */
const ICON = 1;
const MAIN = 3;
const IMPRESSION = 1;
const IMAGE_PIXEL = 1;

/**
 * Reads `imp.native` (OpenRTB 2.6, 3.2.9) and the embedded native request (Native 1.0 to 1.2), a string or, from some
 * exchanges, an object. Null when there is no request with assets.
 */
export function readNative(native: JsonObject): ParsedNative | null {
  const value = native['request'] ?? native['request_native'];
  const read = typeof value === 'string' ? requestIn(value) : readNativeRequest(value);
  if (read === NO_ASSETS) return null;
  const { version, wrapped, assets, eventTrackers } = read;
  return {
    version: versionIn(version === undefined ? native['ver'] : version, wrapped),
    wrapped,
    assets,
    eventTrackers,
    blockedAttributes: readCodes(native['battr']),
  };
}

/** An embedded request, without the fields that may be outside of it. */
interface NativeRequest extends Pick<ParsedNative, 'wrapped' | 'assets' | 'eventTrackers'> {
  version: unknown;
}
const NO_ASSETS: NativeRequest = { version: '', wrapped: false, assets: [], eventTrackers: false };

/** Placements send the same text each time. */
const requestIn = memoizeText((text): NativeRequest => {
  if (text.length > REQUEST_CHARS_MAX) return NO_ASSETS;
  try {
    return readNativeRequest(JSON.parse(text));
  } catch {
    return NO_ASSETS;
  }
}, MEMO_LIMITS);

function readNativeRequest(value: unknown): NativeRequest {
  const request = objectOf(value);
  // Up to 1.1 the request has a root `native`, and so must the response.
  const wrapped = isObject(request['native']);
  const root = wrapped ? objectOf(request['native']) : request;
  const assets = readAssets(root['assets']);
  if (assets.length === 0) return NO_ASSETS;
  return {
    version: root['ver'] ?? undefined,
    wrapped,
    assets,
    eventTrackers: arrayOf(root['eventtrackers'], TRACKERS_MAX).some((tracker) => {
      const { event, methods } = objectOf(tracker);
      return integerOf(event, 0) === IMPRESSION && readCodes(methods).includes(IMAGE_PIXEL);
    }),
  };
}

/** The requested version; by default the newest whose requests have this form. */
function versionIn(value: unknown, wrapped: boolean): ParsedNative['version'] {
  // As a number, 1.0 is written 1.
  const [, minor = '0'] = /^1(?:\.([0-9]))?$/.exec(textOf(value).trim()) ?? [null, ''];
  if (minor === '0' || minor === '1' || minor === '2') return `1.${minor}`;
  return wrapped ? '1.1' : '1.2';
}

/** Reads the assets. Those without an id get their position, from 1 on, or the next number that no asset has. */
function readAssets(value: unknown): ParsedAsset[] {
  const assets = arrayOf(value, ASSETS_MAX).map(objectOf);
  const taken = new Set(assets.map((asset) => integerOf(asset['id'], Number.NaN)));
  return assets.map((asset, index) => {
    let id = integerOf(asset['id'], Number.NaN);
    if (Number.isNaN(id)) for (id = index + 1; taken.has(id);) id += 1;
    taken.add(id);
    return readAsset(asset, id);
  });
}

function readAsset(asset: JsonObject, id: number): ParsedAsset {
  // An id that cannot be repeated in every digit: as a requirement that no ad meets, so that the imp gets no bid.
  if (!Number.isSafeInteger(id)) return { id, required: true, kind: 'other' };
  const required = flagOf(asset['required']);
  if (isObject(asset['title'])) {
    const length = integerOf(objectOf(asset['title'])['len'], 0);
    return { id, required, kind: 'title', lengthMax: length > 0 ? length : limits.nativeTitleMax };
  }
  if (isObject(asset['data'])) {
    const data = objectOf(asset['data']);
    const length = integerOf(data['len'], 0);
    return {
      id,
      required,
      kind: 'data',
      type: integerOf(data['type'], 0),
      lengthMax: length > 0 ? length : Infinity,
    };
  }
  if (isObject(asset['video']))
    return { id, required, kind: 'video', video: readVideo(asset['video'], false, null, () => 0, null) };
  const image = objectOf(asset['img']);
  const type = integerOf(image['type'], isObject(asset['img']) ? MAIN : 0);
  if (type !== ICON && type !== MAIN) return { id, required, kind: 'other' };
  return {
    id,
    required,
    kind: type === ICON ? 'icon' : 'image',
    width: side(image['w']),
    height: side(image['h']),
    widthMin: minimum(image['wmin']),
    heightMin: minimum(image['hmin']),
    mimes: readContentTypes(image['mimes'], 'image'),
  };
}

function side(value: unknown): number {
  return Math.max(0, integerOf(value, 0));
}

function minimum(value: unknown): number | null {
  const number = integerOf(value, -1);
  return number < 0 ? null : number;
}
