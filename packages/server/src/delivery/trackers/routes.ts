import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Logger } from 'pino';
import { registerFrontRoute } from '../../platform/http/door/front-route.ts';
import { inTurns } from '../../platform/concurrency/in-turns.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { type AcceptDeps, acceptor } from './accept.ts';
import { createDestinations } from './destinations.ts';
import { NOTICES, noticeResponder } from './notices.ts';
import { isPrefetch, type InvalidTrafficDetector } from './invalid-traffic.ts';
import type { Destination } from '../model/candidate.ts';
import { type AppOpening, appOpening, isFallback, opensApp } from './app-opening.ts';
import { needsInstallToken, clickLocation, trackingValues } from './tracking-values.ts';

/** Dependencies of the trackers. */
export interface TrackerDeps extends AcceptDeps {
  db: Database;
  detectInvalidTraffic: InvalidTrafficDetector;
  log: Logger;
  /** Cached destination of clicks on a creative of a running ad set; null for any other. */
  runningDestination: (adsetId: string, creativeId: string) => Destination | null;
}

interface TrackerRequest {
  Params: { token: string };
  Querystring: Record<string, string | undefined>;
}

/**
 * Registers the trackers, GET /t/{kind}/{token}: win, billing and loss notices, impressions, video events and clicks. A
 * status below 400 means that the event is stored, now or before. An invalid signature is 404, a bid that is too old 410,
 * a full log 503.
 */
export function registerTrackers(http: FastifyInstance, deps: TrackerDeps): void {
  const destinations = createDestinations({ ...deps, running: deps.runningDestination });
  const accept = acceptor(deps);
  const respond = noticeResponder(accept, deps.log);
  const turns = inTurns();
  registerFrontRoute(http, {
    ...NOTICES,
    respond: (call) => turns(call.socket?.remoteAddress ?? '', () => respond(call)),
  });

  http.get<TrackerRequest>('/t/click/:token', async (request, reply) => {
    const { ip, headers } = request;
    const isAhead = isPrefetch((name) => headers[name]);
    const [outcome, ref] = await accept({
      kind: 'click',
      token: request.params.token,
      isQuestion: request.method === 'HEAD' || isAhead,
      value: () => undefined,
      mark: deps.detectInvalidTraffic.ofEvent(ip, headers['user-agent'] ?? ''),
    });
    if (!ref) return reject(404, reply);
    // A redirect would count at the measurement partner; the browser sends another request when the person clicks.
    if (isAhead) return reply.code(204).headers({ 'cache-control': 'no-store', vary: 'sec-purpose' }).send();
    // The click is already stored, even if the redirect fails.
    const destination = await destinations.of(ref);
    // Only bids whose user consented to the use of the advertising id have one.
    const mayShare = ref.ifa !== '';
    const touchpoint = {
      clickId: deps.signer.clickIdFor(ref),
      installToken:
        destination && needsInstallToken(destination.clickUrl, destination.deepLink)
          ? deps.signer.installTokenFor(ref)
          : '',
      campaignName: destination?.campaignName ?? '',
      deepLink: destination?.deepLink ?? null,
      ip: mayShare ? request.ip : '',
      userAgent: mayShare ? (request.headers['user-agent'] ?? '') : '',
      atMs: deps.now().getTime(),
    };
    const values = trackingValues(ref, touchpoint);
    const location = destination && clickLocation(destination.clickUrl, values);
    // A late click is not counted, but the person is still redirected.
    if (location) {
      const opens = opensApp(ref, destination) && !isFallback(request.query);
      const app = { os: ref.os, bundle: destination.bundle };
      return lead(opens ? appOpening(values.deep_link!, location, app) : { location }, reply);
    }
    if (outcome === 'expired') return reject(410, reply);
    return reply.code(404).type('text/plain').send('This ad is no longer available.');
  });
}

/** Redirects to an address, or responds with the page that opens the app. */
function lead({ location, page }: AppOpening, reply: FastifyReply): FastifyReply {
  void reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  return page === undefined
    ? reply.code(302).headers({ location }).send('')
    : reply.headers(page.headers).send(page.html);
}

function reject(status: 404 | 410, reply: FastifyReply): FastifyReply {
  return reply.code(status).type('text/plain').send('');
}
