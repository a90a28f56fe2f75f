/** Public address of the server, from the configuration. */
export interface PublicAddress {
  /** Absent where there is no proxy between the server and its clients. */
  publicUrl?: string | undefined;
  port: number;
}

/** The URL by which browsers, devices and exchanges reach the server; never taken from a request's `Host`. */
export const publicUrlOf = ({ publicUrl, port }: PublicAddress) => publicUrl ?? `http://localhost:${port}`;

/**
 * The origin that a text is, as browsers write it: in lower case, with a domain in ASCII, without a default port and a trailing slash. Null where
 * it has more than an origin, such as a path, a query or a password, or is none of http or https. Pure.
 */
export function originOf(text: string): string | null {
  if (!/^\s*https?:\/\//i.test(text) || !URL.canParse(text)) return null;
  const { username, password, pathname, search, hash, origin } = new URL(text);
  const hasMore = `${username}${password}${search}${hash}` !== '' || /[?#@\\]/.test(text);
  return !hasMore && /^\/*$/.test(pathname) ? origin : null;
}
