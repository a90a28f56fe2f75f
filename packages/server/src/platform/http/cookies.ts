import { HOST_PREFIX } from '@bidwell/contract/accounts/schema';

/** The setting `PUBLIC_URL`, which decides whether browsers reach the server over https. */
interface PublicAddress {
  publicUrl: string | undefined;
}

const isSecure = ({ publicUrl }: PublicAddress): boolean => publicUrl?.startsWith('https:') ?? false;

/**
 * The name of a cookie of this server. Over https it begins with `__Host-`: browsers accept such a cookie only from the same host, so that
 * a sibling host cannot plant one. Cookies of the plain name are then neither read nor set.
 */
export const cookieName = (config: PublicAddress, name: string): string =>
  isSecure(config) ? HOST_PREFIX + name : name;

/** The attributes of all cookies; the prefix requires the path `/`. Those that pages read set `httpOnly` to false. */
export const cookieOptions = (config: PublicAddress) =>
  ({ httpOnly: true, sameSite: 'strict', path: '/', secure: isSecure(config) }) as const;
