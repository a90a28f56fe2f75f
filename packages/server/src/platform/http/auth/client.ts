import type { FastifyRequest } from 'fastify';
import { normalizeIP } from '@fastify/rate-limit';

/** Where a call comes from. */
export interface Client {
  userAgent: string;
  /** The IP address. */
  address: string;
}

export function clientOf({ headers, ip }: FastifyRequest): Client {
  return { userAgent: keptUserAgent(headers['user-agent']), address: ip };
}

/**
 * The address by which a client is limited: an IPv4 address, or the first 64 bits of an IPv6 one, since a provider assigns
 * at least that many addresses to one customer (RFC 6177). Empty for a client that has disconnected.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // Node.js does not know the address of a closed connection.
  return ip ? normalizeIP(ip) : '';
}

/** Most characters of a user agent that are stored. */
const LENGTH_MAX = 400;

/** The stored part of the header `User-Agent`. */
const keptUserAgent = (userAgent: string | undefined): string => (userAgent ?? '').slice(0, LENGTH_MAX);

/** Browsers by the mark in their user agent; the first that fits, since most name others that they resemble. */
const BROWSERS = [
  ['EdgA/', 'Edge'],
  ['EdgiOS/', 'Edge'],
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['FxiOS/', 'Firefox'],
  ['Firefox/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

/** Systems in the same way: an iPhone names Mac OS X, and Android names Linux. */
const SYSTEMS = [
  ['iPhone', 'iOS'],
  ['iPad', 'iPadOS'],
  ['Android', 'Android'],
  ['CrOS', 'ChromeOS'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** The names of the browser and the system of a user agent; null for a part that it does not name. */
export function namedIn(userAgent: string): { browser: string | null; system: string | null } {
  const nameOf = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1] ?? null;
  return { browser: nameOf(BROWSERS), system: nameOf(SYSTEMS) };
}

/** A device in words: “Firefox on Windows”. */
export function deviceText(userAgent: string): string {
  const { browser, system } = namedIn(userAgent);
  return `${browser ?? 'an unknown browser'}${system ? ` on ${system}` : ''}`;
}
