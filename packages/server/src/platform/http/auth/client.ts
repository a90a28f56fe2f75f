import type { FastifyRequest } from 'fastify';
import { keptUserAgent } from './user-agent.ts';

/** Where a call comes from. */
export interface Client {
  userAgent: string;
  /** The IP address. */
  address: string;
}

export function clientOf({ headers, ip }: FastifyRequest): Client {
  return { userAgent: keptUserAgent(headers['user-agent']), address: ip };
}
