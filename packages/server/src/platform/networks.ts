import { BlockList, isIP } from 'node:net';

/** A network of IP addresses: the addresses that begin with the first `bits` of `address`. */
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
 * the IPv4 address. False for a text that is not an address.
 */
export function networkMatcher(networks: readonly Network[]): (address: string) => boolean {
  const ofV4 = networks.filter(({ family }) => family === 'ipv4');
  const ofV6 = networks.filter(({ family }) => family === 'ipv6');
  const isInV4 = rangeMatcher(ofV4.map(({ address, bits }) => rangeOf(numberOfV4(address), bits)));
  const mayBeInV6 = rangeMatcher(ofV6.map(({ address, bits }) => rangeOf(prefixOfV6(address), bits)));
  const list = new BlockList();
  for (const { address, bits, family } of networks) list.addSubnet(address, bits, family);
  return (address) => {
    const plain = address.includes('.') ? address.replace(/^::ffff:/i, '') : address;
    const version = isIP(plain);
    if (version === 4) return isInV4(numberOfV4(plain));
    if (version === 0) return false;
    const prefix = prefixOfV6(plain);
    return (prefix <= ZERO_GROUP_LAST || mayBeInV6(prefix)) && list.check(plain, 'ipv6');
  };
}

/** Prefixes whose first group is 0: addresses that begin with `::`, among them IPv4 addresses. */
const ZERO_GROUP_LAST = 0xffff;

interface Range {
  first: number;
  last: number;
}

/** The numbers of 32 bits that begin with the first `bits` of `number`; with 32 bits or more only that number. */
function rangeOf(number: number, bits: number): Range {
  const size = 2 ** Math.max(0, 32 - bits);
  const first = Math.floor(number / size) * size;
  return { first, last: first + size - 1 };
}

/** Whether a number is in one of the ranges: a binary search, since a BlockList checks one network after another. */
function rangeMatcher(ranges: readonly Range[]): (number: number) => boolean {
  const disjoint: Range[] = [];
  // Networks are disjoint or within each other: one that begins within the last one adds nothing.
  for (const range of ranges.toSorted((a, b) => a.first - b.first || b.last - a.last))
    if (disjoint.length === 0 || range.first > disjoint.at(-1)!.last) disjoint.push(range);
  return (number) => {
    let from = 0;
    let to = disjoint.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (disjoint[middle]!.first <= number) from = middle + 1;
      else to = middle;
    }
    return from > 0 && number <= disjoint[from - 1]!.last;
  };
}

/** The first 32 bits of an IPv6 address; for one that begins with `::`, 0. */
function prefixOfV6(address: string): number {
  const [first = '', second = ''] = address.split(':', 2);
  return parseInt(first || '0', 16) * 65_536 + parseInt(second || '0', 16);
}

/** An IPv4 address as a number, 0 to 2³² − 1. */
function numberOfV4(address: string): number {
  let number = 0;
  for (const part of address.split('.')) number = number * 256 + Number(part);
  return number;
}
