import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** Public address of the server, from the configuration. */
export interface PublicAddress {
  /** Absent where there is no proxy between the server and its clients. */
  publicUrl?: string | undefined;
  port: number;
}

/** The URL by which browsers, devices and exchanges reach the server; never taken from a request's `Host`. */
export const publicUrlOf = ({ publicUrl, port }: PublicAddress) => publicUrl ?? `http://localhost:${port}`;

/** A domain of DNS: labels of letters, digits, hyphens and underscores, with single dots between. */
const DOMAIN = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/;
const DOMAIN_CHARS_MAX = 253;

/**
 * The origin in a text, as browsers write it: in lower case, with a domain in ASCII, without a default port, the dot at the end of a
 * domain and a trailing slash. Null where it has more than an origin, such as a path, a query or a password, where its scheme is not http or
 * https, and for a host that is neither a domain nor an IP address, such as a variable that was not replaced, or a pattern. Pure.
 */
export function originOf(text: string): string | null {
  if (!/^\s*https?:\/\//i.test(text) || !canParseUrl(text)) return null;
  const { username, password, pathname, search, hash, protocol, hostname, port } = new URL(text);
  const hasMore = `${username}${password}${search}${hash}` !== '' || /[?#@\\]/.test(text);
  const host = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  if (hasMore || !/^\/*$/.test(pathname) || port === '0' || !isHost(host)) return null;
  return `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
}

/** Whether a host, as URLs write it, is an IP address or a domain. */
function isHost(host: string): boolean {
  // `URL` itself rejects texts that are no address.
  if (host.startsWith('[')) return true;
  return host.length <= DOMAIN_CHARS_MAX && host.split('.').every((label) => DOMAIN.test(label));
}
