import type { Logger } from 'pino';
import { Unavailable } from '../../platform/errors.ts';
import type { FrontRoute, RawCall } from '../../platform/http/door/call.ts';
import { inStages } from '../../platform/concurrency/in-stages.ts';
import type { Accept, Tracked, TrackedKind } from './accept.ts';
import { VIDEO_EVENTS } from '../model/event.ts';
import type { Outcome } from '../event-log/ingest.ts';
import { isPrefetch } from './invalid-traffic.ts';

/** Kinds of events that are only stored, unlike clicks, which are also redirected. */
const NOTICE_KINDS = ['win', 'billing', 'loss', 'impression', ...VIDEO_EVENTS] as const;
type NoticeKind = (typeof NOTICE_KINDS)[number] & TrackedKind;

const PREFIX = '/t/';
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
const NO_STORE = ['cache-control', 'no-store'];
const PIXEL_HEADERS = [
  ...NO_STORE,
  'content-type',
  'image/gif',
  'cross-origin-resource-policy',
  'cross-origin',
];
const rejections = { invalid: 404, expired: 410 } as const;
const kinds: ReadonlySet<string> = new Set(NOTICE_KINDS);
/** Sent by the exchange's server; the others come from a page, which expects an image. */
const sentByExchange: ReadonlySet<NoticeKind> = new Set(['win', 'billing', 'loss']);

/** The route of all notices, GET and HEAD of /t/{kind}/{token}. */
export const NOTICES: Omit<FrontRoute, 'respond'> = {
  method: 'GET',
  prefix: PREFIX,
  kinds,
  template: '/t/{kind}/{token}',
  // Nothing reads it. One of a few bytes is dropped, and the connection stays.
  bodyBytesMax: 1024,
  bodyMsMax: 1000,
};

interface ReadNotice extends Tracked {
  kind: NoticeKind;
}

interface AcceptedNotice {
  kind: NoticeKind;
  accepted: ReturnType<Accept>;
}

/**
 * Creates the responder of {@link NOTICES}. A status below 400 means that the event is stored, now or
 * before. Notices that arrive together are handled in stages; see {@link inStages}.
 */
export function noticeResponder(accept: Accept, log: Logger): (call: RawCall) => void {
  return inStages<RawCall, ReadNotice, AcceptedNotice>({
    read: readNotice,
    decide: (_call, notice) => ({ kind: notice.kind, accepted: accept(notice) }),
    finish(call, { kind, accepted }) {
      accepted.then(
        ([outcome]) => respond(call, kind, outcome),
        (error: unknown) => fail(call, error, log),
      );
    },
    failed: (call, error) => fail(call, error, log),
  });
}

function readNotice(call: RawCall): ReadNotice | null {
  const { method, url } = call;
  const kind = url.slice(PREFIX.length, url.indexOf('/', PREFIX.length));
  // The router also matches a percent-encoded kind, which none of our URLs has.
  if (!isNoticeKind(kind)) {
    call.answer(404, [], null);
    return null;
  }
  const tokenAt = PREFIX.length + kind.length + 1;
  const queryAt = url.indexOf('?', tokenAt);
  // Parsed only where a value is needed, and once.
  let query: URLSearchParams | undefined;
  return {
    kind,
    token: url.slice(tokenAt, queryAt < 0 ? undefined : queryAt),
    isQuestion: method === 'HEAD' || (!sentByExchange.has(kind) && isPrefetch((name) => call.header(name))),
    value(name: string) {
      if (queryAt < 0) return undefined;
      query ??= new URLSearchParams(url.slice(queryAt + 1));
      return query.get(name) ?? undefined;
    },
    mark: '',
  };
}

function isNoticeKind(kind: string): kind is NoticeKind {
  return kinds.has(kind);
}

function respond(call: RawCall, kind: NoticeKind, outcome: Outcome | 'invalid'): void {
  if (outcome === 'invalid' || outcome === 'expired') call.answer(rejections[outcome], [], null);
  else if (sentByExchange.has(kind)) call.answer(200, NO_STORE, null);
  else call.answer(200, PIXEL_HEADERS, PIXEL);
}

function fail(call: RawCall, error: unknown, log: Logger): void {
  if (error instanceof Unavailable)
    return call.answer(503, ['retry-after', String(error.retryAfterSeconds)], null);
  log.error({ err: error }, 'a notice could not be stored');
  call.answer(500, [], null);
}
