import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Counter } from 'prom-client';
import { Unavailable } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import { clickLocation, trackingValues } from './touch.ts';
import type { BidRef, EventKind, VideoEvent } from './event.ts';
import { VIDEO_EVENTS } from './event.ts';
import type { Ingest, Outcome } from './ingest.ts';
import { spendOf } from './price.ts';
import type { Suspicion } from './suspicion.ts';
import type { Purpose, Signer } from './signing.ts';
import type { Destination } from './store.ts';
import { findDestination } from './store.ts';

/** What trackers need of the world. */
export interface TrackerDeps {
  db: Database;
  ingest: Ingest;
  signer: Signer;
  suspicion: Suspicion;
  now: () => Date;
  /** Labels kind and outcome (stored, duplicate, expired, invalid). */
  counter: Counter<'kind' | 'outcome'>;
}

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const DESTINATION_MS = 30_000;
const DESTINATIONS_MAX = 10_000;

type TrackedKind = Exclude<EventKind, 'install'>;

interface TrackerRequest {
  Params: { token: string };
  Querystring: Record<string, string | string[] | undefined>;
}

/**
 * The trackers, GET /t/{kind}/{token}: win, billing and loss notices, impressions, what happens to videos, and clicks. An answer below 400 says
 * that the event is stored, now or before. A wrong signature is 404, a bid of long ago 410, a full log 503.
 */
export function registerTrackers(http: FastifyInstance, deps: TrackerDeps): void {
  const destinations = new TtlCache<Destination | null>(DESTINATION_MS, DESTINATIONS_MAX);

  const accept = async (
    kind: TrackedKind,
    request: FastifyRequest<TrackerRequest>,
  ): Promise<[Outcome | 'invalid', BidRef?]> => {
    const ref = deps.signer.read(purposeOf(kind), request.params.token);
    // A HEAD is a link checker's question, not an event.
    const outcome = !ref
      ? 'invalid'
      : request.method === 'HEAD'
        ? 'duplicate'
        : await record(kind, ref, request);
    deps.counter.inc({ kind, outcome });
    return [outcome, ref];
  };
  const record = (
    kind: TrackedKind,
    ref: BidRef,
    { query, ip, headers }: FastifyRequest<TrackerRequest>,
  ): Promise<Outcome> =>
    deps.ingest.record({
      kind,
      atMs: deps.now().getTime(),
      ref,
      spendMicros: spendOf(kind, ref, text(query['price'])),
      lossReason: codeOf(kind, query),
      mark: kind === 'click' ? deps.suspicion(ip, headers['user-agent'] ?? '') : '',
    });

  for (const kind of ['win', 'billing', 'loss'] as const) {
    http.get<TrackerRequest>(`/t/${kind}/:token`, async (request, reply) => {
      const [outcome] = await accept(kind, request);
      return refusal(outcome, reply) ?? reply.code(200).header('cache-control', 'no-store').send('');
    });
  }

  for (const kind of ['impression', ...VIDEO_EVENTS] as const) {
    http.get<TrackerRequest>(`/t/${kind}/:token`, async (request, reply) => {
      const [outcome] = await accept(kind, request);
      return (
        refusal(outcome, reply) ??
        reply
          .headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'cross-origin' })
          .type('image/gif')
          .send(PIXEL)
      );
    });
  }

  http.get<TrackerRequest>('/t/click/:token', async (request, reply) => {
    const [outcome, ref] = await accept('click', request);
    if (!ref) return refusal('invalid', reply);
    const { companyId, adsetId, campaignId } = ref;
    const key = `${companyId}${adsetId}${campaignId}`;
    // The click is stored by now, whatever becomes of the way on.
    const destination = await destinations
      .get(key, () => findDestination(deps.db, companyId, { adsetId, campaignId }))
      .catch((cause: unknown) => {
        request.log.error({ err: cause }, 'the destination of a click could not be read');
        throw new Unavailable();
      });
    const touch = {
      clickId: deps.signer.clickIdFor(ref),
      campaignName: destination?.campaignName ?? '',
      ip: request.ip,
      userAgent: request.headers['user-agent'] ?? '',
      atMs: deps.now().getTime(),
    };
    const location = destination && clickLocation(destination.clickUrl, trackingValues(ref, touch));
    // A late click is no longer counted, but the person behind it still wants to arrive.
    if (location)
      return reply
        .code(302)
        .headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
        .send('');
    return (
      refusal(outcome, reply) ?? reply.code(404).type('text/plain').send('This ad is no longer available.')
    );
  });
}

function refusal(outcome: Outcome | 'invalid', reply: FastifyReply): FastifyReply | undefined {
  if (outcome === 'invalid') return reply.code(404).type('text/plain').send('');
  if (outcome === 'expired') return reply.code(410).type('text/plain').send('');
  return undefined;
}

function text(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The exchange's reason of a loss, the player's code of an error. */
function codeOf(kind: TrackedKind, query: TrackerRequest['Querystring']): number {
  if (kind !== 'loss' && kind !== 'error') return 0;
  const code = Number(text(query[kind === 'loss' ? 'reason' : 'code']));
  return Number.isInteger(code) && code > 0 && code < 65_536 ? code : 0;
}

function purposeOf(kind: TrackedKind): Purpose {
  return VIDEO_EVENTS.includes(kind as VideoEvent) ? 'video' : (kind as Exclude<TrackedKind, VideoEvent>);
}
