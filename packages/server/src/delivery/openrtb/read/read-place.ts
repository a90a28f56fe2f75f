import { countryCodeOf } from '../../model/country.ts';
import type { ParsedPlace, Point } from '../../model/bid-request.ts';
import { type JsonObject, numberOf, objectOf, textOf } from '../json.ts';

/** Longest region, city or postal code that can be one of ours. */
const PLACE_CHARS_MAX = 100;

/** The offsets of the zones that are in use: from UTC-12 to UTC+14. Others are faults, such as seconds or hours. */
const UTC_OFFSET_MIN = -720;
const UTC_OFFSET_MAX = 840;

/** Sources of a location (AdCOM 1.0, "Location Types") that are no guess from an address: the device, and its user. */
const GIVEN = [1, 3];

/**
 * Reads where a device is from `device.geo` (OpenRTB 2.6, 3.2.19), and what that lacks from `user.geo`, unless that is of another
 * country. `allowsPoint`: whether consent allows the location that the device or its user gave.
 */
export function readPlace(device: JsonObject, user: JsonObject, allowsPoint: () => boolean): ParsedPlace {
  const geo = objectOf(device['geo']);
  const userGeo = objectOf(user['geo']);
  const ownCountry = countryOf(geo);
  const userCountry = countryOf(userGeo);
  const isSameCountry = ownCountry === '' || userCountry === '' || ownCountry === userCountry;
  const other = isSameCountry ? userGeo : objectOf(null);
  const point = pointOf(geo) ?? pointOf(userGeo);
  return {
    country: ownCountry || userCountry,
    region: placeText(geo['region']) || placeText(other['region']),
    city: placeText(geo['city']) || placeText(other['city']),
    postalCode: placeText(geo['zip']) || placeText(other['zip']),
    point: point && allowsPoint() ? point : null,
    utcOffsetMinutes: utcOffsetOf(geo['utcoffset']) ?? utcOffsetOf(userGeo['utcoffset']),
  };
}

function countryOf({ country }: JsonObject): string {
  return country === undefined ? '' : countryCodeOf(textOf(country));
}

function placeText(value: unknown): string {
  if (value === undefined) return '';
  const text = textOf(value);
  return text.length <= PLACE_CHARS_MAX ? text : '';
}

/** The location that the device or its user gave; null for one that follows from an address, and for none. */
function pointOf(geo: JsonObject): Point | null {
  if (!GIVEN.includes(numberOf(geo['type']))) return null;
  const latitude = numberOf(geo['lat']);
  // TripleLift writes `long`.
  const longitude = numberOf(geo['lon'] ?? geo['long']);
  // 0, 0 is in the sea, and stands for an unknown location.
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) || (latitude === 0 && longitude === 0))
    return null;
  return { latitude, longitude };
}

/** Minutes ahead of UTC (`utcoffset`), from a number or a numeric text; null for anything else. */
function utcOffsetOf(value: unknown): number | null {
  const minutes = numberOf(value);
  return Number.isInteger(minutes) && minutes >= UTC_OFFSET_MIN && minutes <= UTC_OFFSET_MAX ? minutes : null;
}
