import type { AddressPlace } from '../../platform/geoip/geoip.ts';
import type { BidCounts } from '../exchanges/bid-counts.ts';
import { regionOf } from '../matching/place-keys.ts';
import type { ParsedDevice } from '../model/bid-request.ts';

/** One in as many requests has its country compared with its address: a look-up costs microseconds. */
const CHECKED_OF = 16;

/** Where devices are by their addresses, see {@link addressPlaces}. */
export interface AddressPlaces {
  /**
   * Fills what a request does not say of the place of its device, as far as its consent allows the use of the address. A region, a city or a
   * postal code is filled in only if an ad set targets some (`isTargeted`), and the address is in the country of the request. Counts for some
   * requests whether the two countries are the same.
   */
  complete(device: ParsedDevice, isTargeted: boolean, counts: BidCounts): void;
}

/** Completes the places of requests from a database of addresses. */
export function addressPlaces(lookup: (address: string) => AddressPlace | null): AddressPlaces {
  let requests = 0;
  return {
    complete(device, isTargeted, counts) {
      // Empty where the consent does not allow its use.
      if (device.ip === '') return;
      const isChecked = device.country !== '' && requests % CHECKED_OF === 0;
      requests += 1;
      const hasGap =
        device.country === '' ||
        (isTargeted && (device.region === '' || device.city === '' || device.postalCode === ''));
      if (!isChecked && !hasGap) return;
      const place = lookup(device.ip);
      if (!place) return;
      if (isChecked) counts.checkCountry(device.country === place.country);
      if (device.country === '') device.country = place.country;
      if (!isTargeted || device.country !== place.country) return;
      if (device.region === '') device.region = place.region;
      // A city is of its region: with another one it would be a place that does not exist.
      if (device.city === '' && regionIsSame(device, place)) device.city = place.city;
      if (device.postalCode === '' && regionIsSame(device, place)) device.postalCode = place.postalCode;
    },
  };
}

function regionIsSame(device: ParsedDevice, place: AddressPlace): boolean {
  return (
    place.region === '' || regionOf(device.country, device.region) === `${place.country}-${place.region}`
  );
}
