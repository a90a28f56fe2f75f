import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { answerFirst } from '../../platform/http/answer-first.ts';
import type { Database } from '../../platform/postgres/client.ts';
import type { AcceptDeps } from './accept.ts';
import { acceptor } from './accept.ts';
import { createDestinations } from './destinations.ts';
import { NOTICE_KINDS, noticeAnswerer, noticeKindOf } from './notices.ts';
import { isPrefetch } from './prefetch.ts';
import type { Suspicion } from './suspicion.ts';
import type { Destination } from '../model/destination.ts';
import { asksForInstallToken, clickLocation, trackingValues } from './touch.ts';

/** What trackers need of the world. */
export interface TrackerDeps extends AcceptDeps {
  db: Database;
  suspicion: Suspicion;
  log: Logger;
  /** The destination of a running ad set's clicks, from memory; null for any other. */
  runningDestination: (adsetId: string) => Destination | null;
}

interface TrackerRequest {
  Params: { token: string };
}

/**
 * The trackers, GET /t/{kind}/{token}: win, billing and loss notices, impressions, what happens to videos, and clicks. An
 * answer below 400 says that the event is stored, now or before. A wrong signature is 404, a bid of long ago 410, a full
 * log 503.
 */
export function registerTrackers(http: FastifyInstance, deps: TrackerDeps): void {
  const destinations = createDestinations({ ...deps, running: deps.runningDestination });
  const accept = acceptor(deps);
  const answerNotice = noticeAnswerer(accept, deps.log);

  for (const kind of NOTICE_KINDS)
    http.get(`/t/${kind}/:token`, (request, reply) => {
      reply.hijack();
      answerNotice(request.raw, reply.raw);
    });
  answerFirst(
    http,
    ({ method, url }) => (method === 'GET' || method === 'HEAD') && noticeKindOf(url) !== undefined,
    answerNotice,
  );

  http.get<TrackerRequest>('/t/click/:token', async (request, reply) => {
    const { ip, headers } = request;
    const isAhead = isPrefetch(headers);
    const [outcome, ref] = await accept({
      kind: 'click',
      token: request.params.token,
      isQuestion: request.method === 'HEAD' || isAhead,
      value: () => undefined,
      mark: deps.suspicion(ip, headers['user-agent'] ?? ''),
    });
    if (!ref) return refuse(404, reply);
    // To be sent on would count at the measurement partner; the browser asks again when the person clicks.
    if (isAhead) return reply.code(204).headers({ 'cache-control': 'no-store', vary: 'sec-purpose' }).send();
    // The click is stored by now, whatever becomes of the way on.
    const destination = await destinations.of(ref);
    // Only a bid of which the person let the advertising id be used has one.
    const mayShare = ref.ifa !== '';
    const touch = {
      clickId: deps.signer.clickIdFor(ref),
      installToken:
        destination && asksForInstallToken(destination.clickUrl) ? deps.signer.installTokenFor(ref) : '',
      campaignName: destination?.campaignName ?? '',
      ip: mayShare ? request.ip : '',
      userAgent: mayShare ? (request.headers['user-agent'] ?? '') : '',
      atMs: deps.now().getTime(),
    };
    const location = destination && clickLocation(destination.clickUrl, trackingValues(ref, touch));
    // A late click is no longer counted, but the person behind it still wants to arrive.
    if (location)
      return reply
        .code(302)
        .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .send('');
    if (outcome === 'expired') return refuse(410, reply);
    return reply.code(404).type('text/plain').send('This ad is no longer available.');
  });
}

function refuse(status: 404 | 410, reply: FastifyReply): FastifyReply {
  return reply.code(status).type('text/plain').send('');
}
