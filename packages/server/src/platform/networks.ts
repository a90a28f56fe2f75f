import { BlockList, isIP } from 'node:net';

/** A network of IP addresses: those that begin with the first `bits` of `address`. */
export interface Network {
  address: string;
  bits: number;
  family: 'ipv4' | 'ipv6';
}

/**
 * Parses a network `address/bits`, or one address. Null when it is invalid, or has a prefix of 0 bits, which is the whole
 * internet.
 */
export function parseNetwork(text: string): Network | null {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  const bitsMax = version === 6 ? 128 : 32;
  const bits = prefix === undefined ? bitsMax : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (version === 0 || more.length > 0 || !(bits >= 1 && bits <= bitsMax)) return null;
  return { address, bits, family: version === 6 ? 'ipv6' : 'ipv4' };
}

/**
 * Returns whether an address is in one of the networks. An IPv4 address on an IPv6 socket (`::ffff:192.0.2.1`) counts as
 * the IPv4 address. False for what is not an address.
 */
export function networkMatcher(networks: readonly Network[]): (address: string) => boolean {
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return (address) => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    const version = isIP(plain);
    return version !== 0 && list.check(plain, version === 6 ? 'ipv6' : 'ipv4');
  };
}
