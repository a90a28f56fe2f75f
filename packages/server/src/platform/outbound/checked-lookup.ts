import { lookup as lookupDns } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** How addresses of hosts are found, and which of them may be connected to. */
export interface AddressSeams {
  /** All addresses of a host name. */
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  isAllowedAddress: (address: string) => boolean;
}

/** All addresses of a host, by the system's resolver. */
export const resolveHost: AddressSeams['resolve'] = (host) => lookupDns(host, { all: true, verbatim: true });

/**
 * Resolves a name for the connection itself, so that the checked address is the one connected to. Fails with `rejected(host)`
 * where one of its addresses is not allowed.
 */
export function checkedLookup(
  { resolve, isAllowedAddress }: AddressSeams,
  rejected: (host: string) => Error,
): LookupFunction {
  return (host, options, callback) => {
    resolve(host).then(
      (addresses) => {
        const [first] = addresses;
        if (!first || !addresses.every(({ address }) => isAllowedAddress(address))) {
          callback(rejected(host), '');
        } else if (options.all) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, ''),
    );
  };
}
