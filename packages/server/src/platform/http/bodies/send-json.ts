import type { FastifyReply } from 'fastify';

/** Sends a response that is serialized already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('application/json; charset=utf-8').send(text);
}
