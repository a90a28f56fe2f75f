import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';

/**
 * The address by which a client is limited: an IPv4 address, or the first 64 bits of an IPv6 one, since a provider assigns
 * at least that many addresses to one customer (RFC 6177). Empty for a client that has disconnected.
 */
export function clientAddress({ ip }: Pick<FastifyRequest, 'ip'>): string {
  // Node.js does not know the address of a closed connection.
  return ip ? normalizeIP(ip) : '';
}
