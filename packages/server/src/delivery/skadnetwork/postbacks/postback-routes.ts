import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { skadnetworkApiMessages } from '@bidwell/contract/skadnetwork/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import { fairQueue } from '../../../platform/concurrency/fair-queue.ts';
import { Malformed, RateLimited, Unavailable } from '../../../platform/errors.ts';
import { clientAddress } from '../../../platform/http/auth/client.ts';
import { jsonBodyParser } from '../../../platform/http/bodies/read-json.ts';
import { goneSignal } from '../../../platform/http/gone-signal.ts';
import { type ReceiverDeps, postbackReceiver } from './receive-postback.ts';

/** Dependencies of the routes of install postbacks. */
export interface InstallPostbackDeps extends ReceiverDeps {
  log: Logger;
  counter: Counter<'outcome'>;
}

/** Apple's postbacks have less than two thousand bytes. */
const BODY_BYTES_MAX = 16 * 1024;
/**
 * Verifications and inserts at once, and those that wait, of all addresses and of one; a device sends a rejected postback again.
 */
const QUEUE = { running: 8, runningEach: 4, waiting: 1000, waitingEach: 250, waitMs: 5000 };

/** The path to register with Apple. */
export const INSTALL_POSTBACK_PATH = '/skadnetwork/postback';
/**
 * Where devices send install postbacks: the first path is the one to register with Apple, the others are those to which copies go
 * (Apple, "Receiving postbacks" and "Configuring an advertised app").
 */
const PATHS = [
  INSTALL_POSTBACK_PATH,
  '/.well-known/skadnetwork/report-attribution',
  '/.well-known/appattribution/report-attribution',
];

/**
 * Registers the paths of install postbacks, POST with JSON. Status 200 says that there is no need to send the postback again, also of
 * one that is repeated or whose signature does not fit. A body that is no JSON object gets 4xx. A full queue and a database that does
 * not respond give 503, and the device sends again up to nine times within nine days.
 */
export function registerInstallPostbacks(http: FastifyInstance, deps: InstallPostbackDeps): void {
  const receive = postbackReceiver(deps);
  const queue = fairQueue(
    QUEUE,
    skadnetworkApiMessages.installPostbacks,
    apiMessages.queueFullForCaller(skadnetworkApiMessages.installPostbacks),
  );
  /** Bodies as the devices sent them: copies for measurement partners have the same bytes. */
  const bodies = new WeakMap<FastifyRequest, Buffer>();
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { body } = request;
    const bytes = bodies.get(request);
    if (typeof body !== 'object' || body === null || Array.isArray(body) || !bytes)
      throw new Malformed(postbackApiMessages.postbackUnreadable);
    try {
      const outcome = await queue.run(
        clientAddress(request),
        async () => receive(body as Readonly<Record<string, unknown>>, bytes),
        // A device that does not wait any more sends the postback again.
        { signal: goneSignal(reply) },
      );
      deps.counter.inc({ outcome });
      return { data: { outcome } };
    } catch (error) {
      if (error instanceof RateLimited) throw new Unavailable(error.message, error.retryAfterSeconds);
      throw error;
    }
  };
  void http.register(async (scope) => {
    const parse = jsonBodyParser(scope);
    scope.removeContentTypeParser('application/json');
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
      bodies.set(request, body as Buffer);
      parse(request, body as Buffer, done);
    });
    for (const path of PATHS)
      for (const end of ['', '/'])
        scope.route({ method: 'POST', url: `${path}${end}`, bodyLimit: BODY_BYTES_MAX, handler: answer });
  });
}
