import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { HostFault } from '@bidwell/contract/notifications/notification-messages';
import { type AddressSeams, checkedLookup, publicResolver } from './checked-lookup.ts';
import { isPublicAddress, bareHost } from './public-address.ts';
import { PrivateAddress } from './receivers.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

/** `unknown`: the host may work, as where no name server answers or the port is not one of http's. */
export type HostState = 'reachable' | 'unknown' | HostFault;

/**
 * Looks whether a device could connect to an origin, such as `https://click.example.com`: looks up its name and, on https, agrees
 * on TLS. No request is sent, so nothing is counted there. Connects to public addresses only. At most 10 seconds; `signal` breaks it
 * off, with `unknown`. Never throws.
 */
export type CheckHost = (origin: string, signal?: AbortSignal) => Promise<HostState>;

/** Dependencies that tests replace to reach a local server; production uses the defaults. */
export interface HostCheckerSeams extends AddressSeams {
  isAllowedPort: (port: number) => boolean;
  /** An additional certificate authority. */
  ca: string | undefined;
  totalMs: number;
}

const production: HostCheckerSeams = {
  resolve: publicResolver(),
  isAllowedAddress: isPublicAddress,
  isAllowedPort: (port) => port === 80 || port === 443,
  ca: undefined,
  totalMs: 10_000,
};

/** Creates a checker of hosts that is safe against server-side request forgery (SSRF). */
export function createHostChecker(seams: Partial<HostCheckerSeams> = {}): CheckHost {
  const deps = { ...production, ...seams };
  return async (origin, signal) => {
    if (!canParseUrl(origin) || signal?.aborted) return 'unknown';
    const url = new URL(origin);
    const { protocol, port } = url;
    const isTls = protocol === 'https:';
    const target = {
      host: bareHost(url),
      port: Number(port || (isTls ? 443 : 80)),
      isTls,
    };
    if (!/^https?:$/.test(protocol) || !deps.isAllowedPort(target.port)) return 'unknown';
    // An IP address is not looked up, and so would not be checked by the connection.
    if (isIP(target.host) !== 0 && !deps.isAllowedAddress(target.host)) return 'private';
    return connected(target, deps, signal);
  };
}

async function connected(
  { host, port, isTls }: { host: string; port: number; isTls: boolean },
  deps: HostCheckerSeams,
  signal: AbortSignal | undefined,
): Promise<HostState> {
  const lookup = checkedLookup(deps, () => new PrivateAddress());
  let socket: Socket | undefined;
  let timer: NodeJS.Timeout | undefined;
  let giveUp = (): void => {};
  try {
    return await new Promise<HostState>((resolve) => {
      timer = setTimeout(() => resolve('timeout'), deps.totalMs);
      giveUp = () => resolve('unknown');
      signal?.addEventListener('abort', giveUp);
      const options = { host, port, lookup };
      const name = isIP(host) === 0 ? { servername: host } : {};
      socket = isTls
        ? connectTls({ ...options, ...name, ...(deps.ca && { ca: deps.ca }) })
        : connectTcp(options);
      socket.once(isTls ? 'secureConnect' : 'connect', () => resolve('reachable'));
      // Later errors come from a socket that was given up.
      socket.on('error', (error) => resolve(faultOf(error)));
      socket.once('close', () => resolve('refused'));
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
    socket?.destroy();
  }
}

const REFUSED = new Set(['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'EHOSTDOWN', 'EPIPE']);

function faultOf(error: Error): HostState {
  if (error instanceof PrivateAddress) return 'private';
  // One for each address of a host that has several.
  if (error instanceof AggregateError) {
    const states = error.errors.map((one) => faultOf(one as Error));
    return states.find((state) => state !== 'unknown') ?? 'unknown';
  }
  const { code = '', syscall = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOTFOUND' || code === 'ENODATA') return 'not_found';
  // Other errors of a query for a name come from the name servers.
  if (syscall.startsWith('query')) return 'unknown';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (code === 'CERT_HAS_EXPIRED') return 'certificate_expired';
  if (REFUSED.has(code)) return 'refused';
  // Anything else may be a fault of this process's network or of its name servers.
  return /CERT|TLS|SSL|EPROTO|ISSUER|SIGNATURE/.test(code) ? 'certificate' : 'unknown';
}
