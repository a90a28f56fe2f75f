import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { limitBodyTime } from './request-body.ts';

/** Answers a request without the server's help: nothing of hooks, cookies or security headers. Never throws. */
export type RawAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Lets `answer` have the requests that it `takes` before the server looks for their route: for those that outnumber all
 * others by a thousand to one, and need nothing of what other routes need. The route itself has to exist as well: requests
 * that are injected come to it alone.
 */
export function answerFirst(
  http: FastifyInstance,
  takes: (request: IncomingMessage) => boolean,
  answer: RawAnswer,
): void {
  const [route] = http.server.listeners('request');
  http.server.removeAllListeners('request');
  http.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (takes(request)) {
      limitBodyTime(request);
      answer(request, response);
    } else route?.call(http.server, request, response);
  });
}
