import { networkMatcher, parseNetwork } from '../../networks.ts';

/** Number of proxies in front of the server (0: none), or the networks that they are in. */
export type TrustedProxies = number | readonly string[];

const HOPS_MAX = 10;

/** Names of networks that are not public, as in `proxy-addr`. */
const namedNetworks: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['linklocal', ['169.254.0.0/16', 'fe80::/10']],
  ['uniquelocal', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/**
 * Parses TRUST_PROXY: `false`, a number of proxies, `true` for one, or addresses and networks (`address/bits`,
 * `loopback`, `linklocal`, `uniquelocal`) separated by commas. Null for any other text.
 */
export function parseTrustedProxies(text: string): TrustedProxies | null {
  const value = text.trim().toLowerCase();
  if (value === 'false') return 0;
  if (value === 'true') return 1;
  if (/^\d{1,3}$/.test(value)) return Number(value) <= HOPS_MAX ? Number(value) : null;
  const networks = value.split(',').flatMap((part) => namedNetworks.get(part.trim()) ?? [part.trim()]);
  return networks.every((network) => parseNetwork(network) !== null) ? networks : null;
}

/**
 * Returns Fastify's `trustProxy` function: whether to trust the X-Forwarded-For entry of a peer. `hop` is 0 for the peer
 * of the connection. Never trusts all peers, because the client writes the leftmost entry.
 */
export function proxyTrust(proxies: TrustedProxies): (address: string, hop: number) => boolean {
  if (typeof proxies === 'number') return (_address, hop) => hop < proxies;
  return networkMatcher(proxies.flatMap((network) => parseNetwork(network) ?? []));
}
