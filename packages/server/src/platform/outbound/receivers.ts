import { type Socket, isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { type AddressSeams, checkedLookup, publicResolver } from './checked-lookup.ts';
import { isPublicAddress, bareHost } from './public-address.ts';

/** Why there was no response: a host, a port or a scheme that is not allowed, no response in time, no connection. */
export type ReceiverFailure = 'private' | 'timeout' | 'unreachable';

/** Dependencies that tests replace to reach a local server; production uses the defaults. */
export interface ReceiverSeams extends AddressSeams {
  isAllowedPort: (port: number) => boolean;
  /** An additional certificate authority. */
  ca: string | undefined;
  totalMs: number;
}

export const receiverDefaults: ReceiverSeams = {
  resolve: publicResolver(),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: (port) => port === 443 || port === 8443,
  ca: undefined,
  totalMs: 10_000,
};

/** A connection was not made, since a name leads to an address that is not allowed. */
export class PrivateAddress extends Error {}

/**
 * The agent for one request to a server that a company named, safe against server-side request forgery (SSRF): only over https,
 * to ports 443 and 8443 of public addresses. `internalHosts` are the hosts, each with its port, that operators allow in spite of
 * their addresses, also over http. Null for an address that is not allowed. Connections fail with {@link PrivateAddress}. `onConnection` gets
 * each connection before anything is sent on it.
 */
export function receiverAgent(
  url: URL,
  internalHosts: ReadonlySet<string>,
  seams: ReceiverSeams,
  onConnection: (socket: Socket) => void = () => {},
): Agent | null {
  const isInternal = isInternalHost(url, internalHosts);
  if (!isInternal && !isAllowed(url, seams)) return null;
  const connect = buildConnector({
    ...(!isInternal && { lookup: checkedLookup(seams, (host) => new PrivateAddress(host)) }),
    timeout: seams.totalMs,
    ...(seams.ca && { ca: seams.ca }),
  });
  // One agent per request, so that no connection, and no checked address with it, outlives it.
  return new Agent({
    connect: (options, callback) => {
      connect(options, (...result) => {
        if (result[1]) onConnection(result[1]);
        callback(...result);
      });
    },
    maxHeaderSize: 32 * 1024,
  });
}

/** Whether an address is one of the hosts, `host:port`, that operators allow in spite of their addresses. */
export function isInternalHost(url: URL, internalHosts: ReadonlySet<string>): boolean {
  return /^https?:$/.test(url.protocol) && internalHosts.has(`${url.hostname}:${portOf(url)}`);
}

/**
 * Whether messages may be posted to an address, as far as it says itself: over https, to a port and a host of the public internet, or to one of
 * `internalHosts`. The addresses that a name has are checked when a message is posted.
 */
export function isReceiver(url: URL, internalHosts: ReadonlySet<string>): boolean {
  return (
    isInternalHost(url, internalHosts) || (isAllowed(url, receiverDefaults) && !isOfOwnNetwork(bareHost(url)))
  );
}

/** Whether no name server of the public internet has a name: it has no dot, or ends as names of own networks do (RFC 6761, RFC 6762). */
function isOfOwnNetwork(host: string): boolean {
  const name = host.replace(/\.$/, '');
  return isIP(name) === 0 && (!name.includes('.') || /\.(localhost|local|internal)$/.test(name));
}

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

function isAllowed(url: URL, { isAllowedAddress, isAllowedPort }: ReceiverSeams): boolean {
  const host = bareHost(url);
  return (
    url.protocol === 'https:' &&
    isAllowedPort(portOf(url)) &&
    url.username === '' &&
    url.password === '' &&
    // An IP address is not looked up, and so would not be checked by the connection.
    (isIP(host) === 0 || isAllowedAddress(host))
  );
}

/** The start of a text in one line of visible characters. Pure. */
export function startOfText(text: string, charsMax: number): string {
  const line = text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, charsMax);
  // PostgreSQL stores no half of a surrogate pair.
  return line.replace(/[\uD800-\uDBFF]$/, '');
}
