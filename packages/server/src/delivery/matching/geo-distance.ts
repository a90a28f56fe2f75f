import type { Circle } from '@bidwell/contract/targets/place-values';
import type { Point } from '../model/bid-request.ts';

/** Mean radius of the Earth (IUGG). */
const EARTH_KM = 6371.0088;
const RADIANS = Math.PI / 180;

/** The distance of two locations on a sphere, in kilometres (haversine formula). */
export function distanceKm(a: Point, b: Point): number {
  const sinLatitude = Math.sin(((b.latitude - a.latitude) * RADIANS) / 2);
  const sinLongitude = Math.sin(((b.longitude - a.longitude) * RADIANS) / 2);
  const h =
    sinLatitude ** 2 + Math.cos(a.latitude * RADIANS) * Math.cos(b.latitude * RADIANS) * sinLongitude ** 2;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** The smallest box of degrees around a circle. `longitude` is half its width: 180 or more where it contains a pole. */
export function boxOf({ lat, km }: Circle): { latitude: number; longitude: number } {
  const angle = km / EARTH_KM;
  const latitude = angle / RADIANS;
  // Beyond it the circle contains a pole.
  if (Math.abs(lat) + latitude >= 90) return { latitude, longitude: 180 };
  return { latitude, longitude: Math.asin(Math.sin(angle) / Math.cos(lat * RADIANS)) / RADIANS };
}

/** Whether a location is within a circle. */
export function isWithin({ lat, lon, km }: Circle, point: Point): boolean {
  return distanceKm({ latitude: lat, longitude: lon }, point) <= km;
}
