import { HOST_PREFIX } from '@bidwell/contract/accounts/schema';

const isSecure = () => location.protocol === 'https:';

/** The name of a cookie of ours. Over https the `__Host-` prefix ties it to this host. */
export const cookieName = (name: string) => (isSecure() ? HOST_PREFIX + name : name);

/** The value of a cookie that scripts can read; null without it. */
export function readCookie(name: string): string | null {
  const entry = document.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return entry?.slice(name.length + 1) ?? null;
}

/** Sets a cookie for as long as the browser is open, or for `maxAgeSeconds`. */
export function writeCookie(name: string, value: string, maxAgeSeconds?: number): void {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`;
  const secure = isSecure() ? '; Secure' : '';
  document.cookie = `${name}=${value}; Path=/; SameSite=Strict${age}${secure}`;
}
