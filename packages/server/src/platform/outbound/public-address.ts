import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Blocks of IANA's special-purpose registry that are not unicast addresses of the public internet. */
const notPublicV4 = listOf('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carriers' NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and the metadata service of clouds
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
]);

/**
 * The global unicast block of IPv6. Outside of it: loopback, mapped and translated IPv4, unique local, link-local,
 * multicast.
 */
const globalV6 = listOf('ipv6', [['2000::', 3]]);

const notPublicV6 = listOf('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, benchmarks, ORCHID
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address inside
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
]);

/** True only for a unicast address of the public internet, IPv4 or IPv6, in its standard notation. Never throws. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !notPublicV4.check(address, 'ipv4');
  // An address with a zone (fe80::1%eth0) is local to a link.
  if (!isIPv6(address) || address.includes('%')) return false;
  return globalV6.check(address, 'ipv6') && !notPublicV6.check(address, 'ipv6');
}

function listOf(family: 'ipv4' | 'ipv6', nets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) list.addSubnet(net, prefix, family);
  return list;
}

/** The host of an address as it is looked up and connected to: an IPv6 address without its brackets. Pure. */
export function bareHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replaceAll(/[[\]]/g, '');
}
