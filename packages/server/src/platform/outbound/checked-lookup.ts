import { Resolver, lookup as lookupDns } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';

/** How addresses of hosts are found, and which of them may be connected to. */
export interface AddressSeams {
  /** All addresses of a host name. */
  resolve: (host: string) => Promise<{ address: string; family: number }[]>;
  isAllowedAddress: (address: string) => boolean;
}

/** Time for all addresses of a host, in ms: less than any request to a host that a user entered may take. */
const LOOKUP_MS_MAX = 4000;

/**
 * All addresses of a host that operators trust, by the system's resolver, which also knows the names of the own network. Each lookup holds
 * one of the few threads that all lookups of the process share, including lookups of databases, until its name server answers.
 */
export const resolveTrustedHost: AddressSeams['resolve'] = (host) =>
  lookupDns(host, { all: true, verbatim: true });

/**
 * Finds all addresses of hosts that any user may have entered, IPv4 before IPv6, by asking the system's name servers without a thread: so a
 * name whose servers do not answer delays no other name. Rejects after `msMax`, and where neither kind of address is known.
 */
export function publicResolver({
  servers,
  msMax = LOOKUP_MS_MAX,
}: { servers?: readonly string[]; msMax?: number } = {}): AddressSeams['resolve'] {
  return async (host) => {
    const resolver = new Resolver({ timeout: Math.ceil(msMax / 2), tries: 2 });
    if (servers) resolver.setServers(servers);
    const timer = setTimeout(() => resolver.cancel(), msMax);
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      if (four.status === 'rejected' && six.status === 'rejected') throw faultOf(four.reason, six.reason);
      return [...addressesOf(four, 4), ...addressesOf(six, 6)];
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Prefers the failure of a name server, since the host may have addresses then. */
function faultOf(...failures: NodeJS.ErrnoException[]): NodeJS.ErrnoException {
  return failures.find(({ code }) => code !== 'ENOTFOUND' && code !== 'ENODATA') ?? failures[0]!;
}

function addressesOf(found: PromiseSettledResult<string[]>, family: number) {
  return found.status === 'fulfilled' ? found.value.map((address) => ({ address, family })) : [];
}

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
