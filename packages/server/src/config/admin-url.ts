import type { Config } from './config.ts';

type Admin = NonNullable<Config['admin']>;

const EVERYWHERE = ['0.0.0.0', '::'];
const LOOPBACK = ['127.0.0.1', '::1'];

/** URL of the operator's port for programs on this machine, without a trailing slash. Pure. */
export function adminUrl({ host, port }: Admin): string {
  if (EVERYWHERE.includes(host)) return `http://127.0.0.1:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** URL of the operator's port for browsers on this machine: by a name, because there are no passkeys at addresses. Pure. */
export function adminUrlForBrowsers(admin: Admin): string {
  const isLocal = [...EVERYWHERE, ...LOOPBACK].includes(admin.host);
  return isLocal ? `http://localhost:${admin.port}` : adminUrl(admin);
}
