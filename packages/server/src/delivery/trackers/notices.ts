import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Unavailable } from '../../platform/errors.ts';
import { NOSNIFF, endEmpty } from '../../platform/http/raw-handler.ts';
import type { RawHandler } from '../../platform/http/limits/pipelining.ts';
import { inStages } from '../../platform/concurrency/in-stages.ts';
import type { Accept, Tracked, TrackedKind } from './accept.ts';
import { VIDEO_EVENTS } from '../model/event.ts';
import type { Outcome } from '../event-log/ingest.ts';
import { isPrefetch } from './invalid-traffic.ts';

/** Kinds of events that are only stored, unlike clicks, which are also redirected. */
export const NOTICE_KINDS = ['win', 'billing', 'loss', 'impression', ...VIDEO_EVENTS] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number] & TrackedKind;

const PREFIX = '/t/';
/** A string, which Node sends together with the headers, unlike a buffer. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64').toString(
  'latin1',
);
const NO_STORE = ['cache-control', 'no-store'];
const PIXEL_HEADERS = [
  ...NOSNIFF,
  ...NO_STORE,
  'content-type',
  'image/gif',
  'content-length',
  String(PIXEL.length),
  'cross-origin-resource-policy',
  'cross-origin',
];
const rejections = { invalid: 404, expired: 410 } as const;
const kinds: ReadonlyMap<string, NoticeKind> = new Map(NOTICE_KINDS.map((kind) => [kind, kind]));
/** Sent by the exchange's server; the others come from a page, which expects an image. */
const sentByExchange: ReadonlySet<NoticeKind> = new Set(['win', 'billing', 'loss']);

/** The kind of a notice's URL; undefined for any other URL. */
export function noticeKindOf(url: string | undefined): NoticeKind | undefined {
  if (!url?.startsWith(PREFIX)) return undefined;
  return kinds.get(url.slice(PREFIX.length, url.indexOf('/', PREFIX.length)));
}

interface Arrival {
  request: IncomingMessage;
  response: ServerResponse;
}

interface ReadNotice extends Tracked {
  kind: NoticeKind;
}

interface AcceptedNotice {
  kind: NoticeKind;
  accepted: ReturnType<Accept>;
}

/**
 * Creates the handler of GET and HEAD of /t/{kind}/{token}. A status below 400 means that the event is stored, now or
 * before. Notices that arrive together are handled in stages; see {@link inStages}.
 */
export function noticeResponder(accept: Accept, log: Logger): RawHandler {
  const take = inStages<Arrival, ReadNotice, AcceptedNotice>({
    read: readNotice,
    decide: (_arrival, notice) => ({ kind: notice.kind, accepted: accept(notice) }),
    finish({ response }, { kind, accepted }) {
      accepted.then(
        ([outcome]) => respond(response, kind, outcome),
        (error: unknown) => fail(response, error, log),
      );
    },
    failed: ({ response }, error) => fail(response, error, log),
  });
  return (request, response) => take({ request, response });
}

function readNotice({ request, response }: Arrival): ReadNotice | null {
  request.resume();
  const { method, url = '' } = request;
  const kind = noticeKindOf(url);
  // The router also matches a percent-encoded kind, which none of our URLs has.
  if (!kind) {
    endEmpty(response, 404);
    return null;
  }
  const tokenAt = PREFIX.length + kind.length + 1;
  const queryAt = url.indexOf('?', tokenAt);
  // Parsed only where a value is needed, and once.
  let query: URLSearchParams | undefined;
  return {
    kind,
    token: url.slice(tokenAt, queryAt < 0 ? undefined : queryAt),
    isQuestion: method === 'HEAD' || (!sentByExchange.has(kind) && isPrefetch(request.headers)),
    value(name: string) {
      if (queryAt < 0) return undefined;
      query ??= new URLSearchParams(url.slice(queryAt + 1));
      return query.get(name) ?? undefined;
    },
    mark: '',
  };
}

function respond(response: ServerResponse, kind: NoticeKind, outcome: Outcome | 'invalid'): void {
  if (outcome === 'invalid' || outcome === 'expired') return endEmpty(response, rejections[outcome]);
  if (sentByExchange.has(kind)) return endEmpty(response, 200, NO_STORE);
  response.writeHead(200, PIXEL_HEADERS);
  response.end(PIXEL, 'latin1');
}

function fail(response: ServerResponse, error: unknown, log: Logger): void {
  if (error instanceof Unavailable)
    return endEmpty(response, 503, ['retry-after', String(error.retryAfterSeconds)]);
  log.error({ err: error }, 'a notice could not be stored');
  endEmpty(response, 500);
}
