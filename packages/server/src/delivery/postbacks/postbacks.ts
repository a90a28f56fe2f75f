import { Mmp } from '@bidwell/contract/apps/fields';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { inTime } from '../../platform/concurrency/time-limits.ts';
import { NotFound, Unavailable, Malformed, TooLarge, UnsupportedType } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import type { PostbackQueue } from './postback-queue.ts';
import type { Signer } from '../trackers/signer.ts';
import { findCompanyByPostbackSecret } from '../trackers/destinations.ts';
import { tryTestPostback } from './test-postback.ts';
import { postbackApiMessages } from '@bidwell/contract/postbacks/api-messages';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { truncate } from '@bidwell/contract/lib/truncate';
import type { IncomingMessage } from 'node:http';
import { TextDecoder } from 'node:util';
import { ignoreMalformedTypes, jsonBodyParser } from '../../platform/http/bodies/read-json.ts';
import { isGiven } from './given-value.ts';
import { CLICK_ID_NAMES, type PostbackParameters } from './postback-reading.ts';
import { parametersOfPush } from './push-message.ts';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import type { PushMessages } from '@bidwell/contract/measurement/partners/description';

/** Dependencies of the postback routes. */
export interface PostbackDeps {
  db: Database;
  queue: Pick<PostbackQueue, 'add'>;
  signer: Signer;
  log: Logger;
  now: () => Date;
}

/** Content types of postbacks with a body. */
const ACCEPTED = ['application/json', 'application/x-www-form-urlencoded', 'text/plain'];
const HEADER_CHARS_MAX = 2000;
/** How long it is remembered whose an address is, of how many, and how long a look-up may take. */
const COMPANY_MS = 60_000;
const COMPANIES_MAX = 10_000;
const LOOK_UP_MS = 2000;

interface SecretRequest {
  Params: { mmp: string; secret: string };
}
interface PushRequest {
  Params: SecretRequest['Params'] & { path: string };
}
interface TokenRequest {
  Params: { token: string };
}

/**
 * Registers the measurement partners' postbacks, GET or POST: /postback/{mmp}/{the company's secret}, configured at the partner;
 * /postback/appsflyer/{the company's secret}/push, for messages of its Push API; and /postback/adjust/click/{token}, which is in
 * Adjust's links and can report the install of one click. Status 200 means that the
 * postback is on disk; it is decided afterwards, even if the databases are unavailable meanwhile. A caller that sends `Prefer: wait`
 * (RFC 7240) waits for the outcome. Partners retry until they get 200: an install counts once per click id, however often it is
 * reported. HEAD counts nothing. A postback of a test click is decided and not stored.
 */
export function registerPostbacks(http: FastifyInstance, deps: PostbackDeps): void {
  // An address that worked goes on to while the database is away.
  const companies = new TtlCache<string | null>(COMPANY_MS, COMPANIES_MAX, { staleOnError: true });

  const companyOf = async (secret: string): Promise<string> => {
    const companyId =
      secret.length <= 100 &&
      // PostgreSQL has no text with it.
      !secret.includes('\0') &&
      (await companies
        .get(secret, async () =>
          inTime(findCompanyByPostbackSecret(deps.db, secret, deps.now()), LOOK_UP_MS, 'PostgreSQL is slow'),
        )
        .catch((err: unknown) => {
          deps.log.error({ err }, 'the company of a postback could not be read');
          throw new Unavailable();
        }));
    if (!companyId) throw new NotFound('Postback address');
    return companyId;
  };

  const accept = async (
    request: FastifyRequest,
    reply: FastifyReply,
    of: { companyId: string; mmp: Mmp; installToken: string },
    push?: PushMessages,
  ): Promise<FastifyReply> => {
    const { authorization = '', authentication = '' } = request.headers;
    const clickInAddress = of.installToken !== '';
    const isOurClick = (clickId: string) => deps.signer.read('click-id', clickId)?.companyId === of.companyId;
    const parameters = parametersOf(request, clickInAddress, isOurClick);
    const postback = {
      ...of,
      parameters: push ? parametersOfPush(push, parameters, isOurClick) : parameters,
      ip: request.ip,
      clickInAddress,
      authorization: (authorization || String(authentication)).slice(0, HEADER_CHARS_MAX),
    };
    const tested = await tryTestPostback(deps, postback).catch((err: unknown) => {
      deps.log.error({ err }, 'a test postback could not be decided');
      throw new Unavailable();
    });
    if (tested) return reply.code(200).send({ data: tested });
    const outcome = await deps.queue.add(postback, waitMsOf(request.headers['prefer']));
    return reply.code(200).send({ data: { outcome } });
  };

  void http.register(async (scope) => {
    readPostbackBodies(scope);
    for (const end of ['', '/']) {
      scope.route<SecretRequest>({
        method: ['GET', 'HEAD', 'POST'],
        url: `/postback/:mmp/:secret${end}`,
        handler: async (request, reply) => {
          const mmp = Mmp.safeParse(request.params.mmp);
          if (!mmp.success) throw new NotFound('Postback address');
          const companyId = await companyOf(request.params.secret);
          if (request.method === 'HEAD') return reply.code(200).send();
          return accept(request, reply, { companyId, mmp: mmp.data, installToken: '' });
        },
      });
      scope.route<PushRequest>({
        method: ['GET', 'HEAD', 'POST'],
        url: `/postback/:mmp/:secret/:path${end}`,
        handler: async (request, reply) => {
          const mmp = Mmp.safeParse(request.params.mmp);
          const push = mmp.success ? PARTNERS[mmp.data].postbacks.push : undefined;
          if (!mmp.success || push?.path !== request.params.path) throw new NotFound('Postback address');
          const companyId = await companyOf(request.params.secret);
          if (request.method === 'HEAD') return reply.code(200).send();
          return accept(request, reply, { companyId, mmp: mmp.data, installToken: '' }, push);
        },
      });
      scope.route<TokenRequest>({
        method: ['GET', 'HEAD', 'POST'],
        url: `/postback/adjust/click/:token${end}`,
        handler: async (request, reply) => {
          const { token } = request.params;
          const ref = deps.signer.readInstallToken(token);
          if (!ref) throw new NotFound('Postback address');
          if (request.method === 'HEAD') return reply.code(200).send();
          return accept(request, reply, { companyId: ref.companyId, mmp: 'adjust', installToken: token });
        },
      });
    }
  });
}

/** Longest time that a request can wait for the outcome, seconds. */
const WAIT_SECONDS_MAX = 3;

/** How long a request waits for the outcome, ms: as its header `Prefer: wait=SECONDS` says; 0 without. */
function waitMsOf(prefer: string | string[] | undefined): number {
  const [, seconds = '0'] = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,9})/i.exec(String(prefer ?? '')) ?? [];
  return Math.min(Number(seconds), WAIT_SECONDS_MAX) * 1000;
}

const BODY_BYTES_MAX = 64 * 1024;
const PARAMETERS_MAX = 200;
const VALUE_CHARS_MAX = 4096;
/**
 * Different click ids of a postback that are compared with the click ids of the company; beyond them the first one in the
 * postback counts.
 */
const CLICK_IDS_MAX = 10;

/** The entries of a postback's body, or the error of reading it, which matters only if the body is needed. */
type PostbackBody = { entries: Iterable<[string, unknown]> } | { failure: Error };

const NOTHING: PostbackBody = { entries: [] };

/** `application/json`, `text/json`, and types of RFC 6839 such as `application/vnd.api+json`. */
const JSON_TYPE = /^(?:application|text)\/(?:[\w.-]+\+)?json$/;

/**
 * Reads the bodies of postbacks in a scope: forms, JSON, and either of them as plain text or without a content type that
 * is well-formed. One that cannot be read fails in {@link parametersOf}.
 */
function readPostbackBodies(scope: FastifyInstance): void {
  const parseJson = jsonBodyParser(scope);
  const json = (request: FastifyRequest, bytes: Buffer, done: (body: PostbackBody) => void): void =>
    parseJson(request, withExactNumbers(bytes), (failure, value) =>
      done(failure ? { failure } : objectBody(value)),
    );
  ignoreMalformedTypes(scope);
  scope.removeAllContentTypeParsers();
  const read = (request: FastifyRequest, bytes: Buffer, done: (body: PostbackBody) => void): void => {
    const type = request.headers['content-type']?.split(';', 1)[0]!.trim().toLowerCase();
    if (type !== undefined && JSON_TYPE.test(type)) return json(request, bytes, done);
    switch (type) {
      case 'application/x-www-form-urlencoded':
        return done({ entries: formEntries(bytes, request.headers['content-type']) });
      case 'text/plain':
      case undefined:
        if (!bytes.toString().trim().startsWith('{')) return done(textBody(bytes));
        return json(request, bytes, (body) => done('failure' in body ? textBody(bytes) : body));
      default:
        return done({ failure: new UnsupportedType(apiMessages.contentType(ACCEPTED)) });
    }
  };
  // Not by Fastify's `parseAs`, which rejects a long body even where it is not needed.
  scope.addContentTypeParser('*', async (request: FastifyRequest, payload: IncomingMessage) => {
    const bytes = await bytesOf(payload, Number(request.headers['content-length']));
    if (bytes === null) return { failure: new TooLarge(apiMessages.tooLarge) };
    return new Promise<PostbackBody>((resolve) => read(request, withoutByteOrderMark(bytes), resolve));
  });
}

/** The bytes of a body; null for one that is too large, of which the rest is not kept. Rejects where the connection breaks off. */
async function bytesOf(payload: IncomingMessage, announcedBytes: number): Promise<Buffer | null> {
  if (announcedBytes > BODY_BYTES_MAX) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError).resume();
      settle();
    };
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > BODY_BYTES_MAX) end(() => resolve(null));
      else chunks.push(chunk);
    };
    const onEnd = (): void => end(() => resolve(Buffer.concat(chunks)));
    const onError = (): void => end(() => reject(new Malformed(apiMessages.unreadable)));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

function objectBody(value: unknown): PostbackBody {
  if (value === undefined || value === null) return NOTHING;
  if (typeof value !== 'object' || Array.isArray(value))
    return { failure: new Malformed(postbackApiMessages.postbackUnreadable) };
  return { entries: Object.entries(value) };
}

/** The fields of a form, in the character set that its content type names, by default UTF-8. */
function formEntries(bytes: Buffer, contentType = ''): Iterable<[string, string]> {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w-]{1,40})/i.exec(contentType) ?? [];
  const decoder = decoderOf(charset);
  if (decoder === null || decoder.encoding === 'utf-8') return new URLSearchParams(bytes.toString());
  const decoded = (text: string) => decoder.decode(Buffer.from(bytesIn(text), 'latin1'));
  return bytes
    .toString('latin1')
    .split('&')
    .map((field) => {
      const [name = '', ...value] = field.split('=');
      return [decoded(name), decoded(value.join('='))];
    });
}

/** Null for an unknown character set. */
function decoderOf(charset: string): TextDecoder | null {
  try {
    return new TextDecoder(charset);
  } catch {
    return null;
  }
}

/** The bytes that a field of a form is, one for each character. */
function bytesIn(text: string): string {
  return text
    .replaceAll('+', ' ')
    .replaceAll(/%([\da-f]{2})/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** A body without the byte order mark of UTF-8, which neither JSON nor a form has. */
function withoutByteOrderMark(bytes: Buffer): Buffer {
  return bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
}

/** Strings of JSON, which are skipped, and numbers. */
const TOKENS = /"(?:[^"\\]|\\[^])*"?|-?\d[\d.eE+-]*/g;

/** JSON in which the numbers that JavaScript cannot hold are texts: larger ones than any, and integers with too many digits. */
function withExactNumbers(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  const exact = text.replace(TOKENS, (token) => {
    const number = Number(token);
    const isLost = Number.isNaN(number) ? false : !Number.isFinite(number) || isInexact(token, number);
    return isLost ? `"${token}"` : token;
  });
  return Buffer.from(exact, 'latin1');
}

function isInexact(token: string, number: number): boolean {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(number);
}

/** Plain text is a form under another name, or says nothing, as the parameters are in the query. */
function textBody(bytes: Buffer): PostbackBody {
  const text = bytes.toString();
  return text.includes('=') ? { entries: new URLSearchParams(text) } : NOTHING;
}

/**
 * The parameters of the query and then the body. If a parameter repeats, the first value counts; for a click id, the first
 * that belongs to the company. Throws the error of a body that cannot be read, unless the address or the query names the
 * click.
 */
function parametersOf(
  { query, body = NOTHING }: { query: unknown; body?: unknown },
  isClickKnown: boolean,
  isOurClick: (clickId: string) => boolean,
): PostbackParameters {
  const values = new Map<string, string>();
  const tried = new Map<string, boolean>();
  const isOurs = (clickId: string): boolean => {
    if (!tried.has(clickId) && tried.size < CLICK_IDS_MAX) tried.set(clickId, isOurClick(clickId.trim()));
    return tried.get(clickId) ?? false;
  };
  const isBetter = (name: string, value: string, than: string): boolean => {
    if (!isGiven(value) || value === than) return false;
    return !isGiven(than) || (CLICK_ID_NAMES.includes(name) && !isOurs(than) && isOurs(value));
  };
  const add = (name: string, value: unknown): void => {
    const text = truncate(shortTextOf(value), VALUE_CHARS_MAX);
    const first = values.get(name);
    const isTaken = first === undefined ? values.size < PARAMETERS_MAX : isBetter(name, text, first);
    if (isTaken) values.set(name, text);
  };
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>))
    for (const one of [value].flat()) add(name, one);
  const read = body as PostbackBody;
  if ('entries' in read) for (const [name, value] of read.entries) add(name, value);
  else if (!isClickKnown && !CLICK_ID_NAMES.some((name) => isOurs(values.get(name) ?? '')))
    throw read.failure;
  return Object.fromEntries(values);
}

/** The text of a parameter. If an object is too long, its own objects and lists are left out, so that it stays JSON. */
function shortTextOf(value: unknown): string {
  const text = textOf(value);
  if (text.length <= VALUE_CHARS_MAX || typeof value !== 'object' || value === null || Array.isArray(value))
    return text;
  return textOf(
    Object.fromEntries(
      Object.entries(value).filter(([, member]) => typeof member !== 'object' || member === null),
    ),
  );
}

/** Converts a parameter to text; AppsFlyer's event_value, for example, may be an object. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value) ?? '';
  } catch {
    // Nested deeper than the stack.
    return '';
  }
}
