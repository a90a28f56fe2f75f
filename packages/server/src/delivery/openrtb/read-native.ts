import { limits } from '@bidwell/contract/limits';
import type { JsonObject } from './json.ts';
import { arrayOf, flagOf, integerOf, isObject, lowerTexts, objectOf, textOf } from './json.ts';
import { readCodes } from './read-parts.ts';
import type { ParsedAsset, ParsedNative } from '../model/bid-request.ts';

const ASSETS_MAX = 50;
const TRACKERS_MAX = 50;
const REQUEST_CHARS_MAX = 64 * 1024;

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
  const request = requestOf(native['request'] ?? native['request_native']);
  if (!request) return null;
  // Up to 1.1 the request has a root `native`, and so must the response.
  const wrapped = isObject(request['native']);
  const root = wrapped ? objectOf(request['native']) : request;
  const assets = arrayOf(root['assets'], ASSETS_MAX).map((asset) => readAsset(objectOf(asset)));
  if (assets.length === 0) return null;
  return {
    version: versionOf(root['ver'] ?? native['ver'], wrapped),
    wrapped,
    assets,
    eventTrackers: arrayOf(root['eventtrackers'], TRACKERS_MAX)
      .map(objectOf)
      .some(
        ({ event, methods }) =>
          integerOf(event, 0) === IMPRESSION && readCodes(methods).includes(IMAGE_PIXEL),
      ),
    blockedAttributes: readCodes(native['battr']),
  };
}

/** The requested version; by default the newest whose requests have this form. */
function versionOf(value: unknown, wrapped: boolean): ParsedNative['version'] {
  const [, minor] = /^1(?:\.([0-9]))?$/.exec(textOf(value).trim()) ?? [];
  if (minor === '0' || minor === '1' || minor === '2') return `1.${minor}`;
  return wrapped ? '1.1' : '1.2';
}

function requestOf(value: unknown): JsonObject | null {
  if (isObject(value)) return objectOf(value);
  if (typeof value !== 'string' || value.length > REQUEST_CHARS_MAX) return null;
  try {
    const parsed: unknown = JSON.parse(value);
    return isObject(parsed) ? objectOf(parsed) : null;
  } catch {
    return null;
  }
}

function readAsset(asset: JsonObject): ParsedAsset {
  const id = integerOf(asset['id'], 0);
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
  const image = objectOf(asset['img']);
  const type = integerOf(image['type'], isObject(asset['img']) ? MAIN : 0);
  if (type !== ICON && type !== MAIN) return { id, required, kind: 'other' };
  return {
    id,
    required,
    kind: type === ICON ? 'icon' : 'image',
    width: side(image['w']),
    height: side(image['h']),
    widthMin: side(image['wmin']),
    heightMin: side(image['hmin']),
    mimes: lowerTexts(image['mimes'], ASSETS_MAX).filter((mime) => mime.includes('/')),
  };
}

function side(value: unknown): number {
  return Math.max(0, integerOf(value, 0));
}
