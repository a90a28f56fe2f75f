import type { ParsedAdAttributionKit, ParsedSkadnetwork } from '../../model/bid-request.ts';
import { ADATTRIBUTIONKIT_KEY } from '../../skadnetwork/impression-extension.ts';
import {
  type JsonObject,
  arrayOf,
  flagOf,
  integerOf,
  isObject,
  lowerTexts,
  objectOf,
  textOf,
} from '../json.ts';

const VERSIONS_MAX = 20;
/** Publishers' apps list more than a hundred networks; exchanges are to send those that concern the bidder. */
const IDS_MAX = 500;
/**
 * Longest list of excluded networks that is read. A longer list may exclude our network, so the numbered list is
 * then not used.
 */
const EXCLUDED_MAX = 500;
const ID_CHARS_MAX = 64;
/** In place of the number in development builds of publishers' apps. */
const DEVELOPMENT = '0';
/** The number of an app in the store. */
const ITEM_ID = /^[1-9]\d{0,14}$/;

/**
 * Reads `imp.ext.skadn` (IAB Tech Lab, "SKAdNetwork Support"): versions in `versions`, `version` or both; ids in any case, directly or by
 * the IAB's numbered list. Null without an object. `bundle` stands in for a missing number of the publisher's app.
 */
export function readSkadnetwork(ext: JsonObject, bundle: string): ParsedSkadnetwork | null {
  const skadn = ext['skadn'];
  if (!isObject(skadn)) return null;
  const list = objectOf(skadn['skadnetlist']);
  const excluded = arrayOf(list['excl'], EXCLUDED_MAX + 1);
  const max = excluded.length > EXCLUDED_MAX ? 0 : integerOf(list['max'], 0);
  return {
    versions: new Set([...texts(skadn['versions'], VERSIONS_MAX), ...texts(skadn['version'], 1)]),
    sourceApp: sourceAppOf(skadn, bundle),
    ids: [...texts(skadn['skadnetids'], IDS_MAX), ...texts(list['addl'], IDS_MAX)],
    listMax: max,
    listExcluded: max > 0 ? excluded.map((one) => integerOf(one, 0)) : [],
    hasProductPages: flagOf(skadn['productpage']),
    hasOverlay: flagOf(skadn['skoverlay']) || hasOverlay(skadn),
  };
}

/** Reads the object of AdAttributionKit in `imp.ext` (draft of the IAB Tech Lab). Null without one. */
export function readAdAttributionKit(ext: JsonObject, bundle: string): ParsedAdAttributionKit | null {
  const object = ext[ADATTRIBUTIONKIT_KEY];
  if (!isObject(object)) return null;
  return {
    sourceApp: sourceAppOf(object, bundle),
    ids: texts(object['skadnetids'], IDS_MAX),
    hasOverlay: hasOverlay(object),
  };
}

/** Whether an object says, as some publishers' SDKs do, in its `ext` that the app shows SKOverlay. */
const hasOverlay = ({ ext }: JsonObject) => flagOf(objectOf(ext)['sko']);

/** Entries of another type are left out. */
const texts = (value: unknown, max: number) => lowerTexts(value, max, ID_CHARS_MAX);

function sourceAppOf({ sourceapp }: JsonObject, bundle: string): string {
  const own = textOf(sourceapp).trim();
  if (own === DEVELOPMENT || ITEM_ID.test(own)) return own;
  return ITEM_ID.test(bundle) ? bundle : '';
}
