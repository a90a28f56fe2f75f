import { apiMessages } from '@bidwell/contract/messages';
import { Mmp } from '@bidwell/contract/app';
import { truncate } from '@bidwell/contract/truncate';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { Malformed, NotFound, Unavailable } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import type { PostbackQueue } from './postback-queue.ts';
import { isGiven } from './postback-reading.ts';
import type { Signer } from './signing.ts';
import { findCompanyByPostbackSecret } from './store.ts';
import { tryTestPostback } from './test-postback.ts';

/** Dependencies of the postback routes. */
export interface PostbackDeps {
  db: Database;
  queue: Pick<PostbackQueue, 'add'>;
  signer: Signer;
  log: Logger;
  now: () => Date;
}

const BODY_BYTES_MAX = 64 * 1024;
const PARAMETERS_MAX = 200;
const VALUE_CHARS_MAX = 4096;
const HEADER_CHARS_MAX = 2000;

interface SecretRequest {
  Params: { mmp: string; secret: string };
}
interface TokenRequest {
  Params: { token: string };
}

/**
 * Registers the measurement partners' postbacks, GET or POST: /postback/{mmp}/{the company's secret}, configured at the
 * partner, and /postback/adjust/click/{token}, which is in Adjust's links and can report the install of one click. Status
 * 200 means that the postback is stored; the outcome says whether it was counted, or is not decided yet. Partners retry
 * until they get 200: an install counts once per click id, however often it is reported. HEAD counts nothing. A postback
 * of a test click is decided and not stored.
 */
export function registerPostbacks(http: FastifyInstance, deps: PostbackDeps): void {
  const companies = new TtlCache<string | null>(60_000, 10_000);

  const companyOf = async (secret: string): Promise<string> => {
    const companyId =
      secret.length <= 100 &&
      (await companies
        .get(secret, () => findCompanyByPostbackSecret(deps.db, secret, deps.now()))
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
  ): Promise<FastifyReply> => {
    const { authorization = '', authentication = '' } = request.headers;
    const postback = {
      ...of,
      parameters: parametersOf(request),
      ip: request.ip,
      clickInAddress: of.installToken !== '',
      authorization: (authorization || String(authentication)).slice(0, HEADER_CHARS_MAX),
    };
    const tested = await tryTestPostback(deps, postback).catch((err: unknown) => {
      deps.log.error({ err }, 'a test postback could not be decided');
      throw new Unavailable();
    });
    if (tested) return reply.code(200).send({ data: tested });
    const outcome = await deps.queue.add(postback);
    return reply.code(200).send({ data: { outcome } });
  };

  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, new URLSearchParams(String(body))),
    );
    for (const end of ['', '/']) {
      scope.route<SecretRequest>({
        method: ['GET', 'HEAD', 'POST'],
        url: `/postback/:mmp/:secret${end}`,
        bodyLimit: BODY_BYTES_MAX,
        handler: async (request, reply) => {
          const mmp = Mmp.safeParse(request.params.mmp);
          if (!mmp.success) throw new NotFound('Postback address');
          const companyId = await companyOf(request.params.secret);
          if (request.method === 'HEAD') return reply.code(200).send();
          return accept(request, reply, { companyId, mmp: mmp.data, installToken: '' });
        },
      });
      scope.route<TokenRequest>({
        method: ['GET', 'HEAD', 'POST'],
        url: `/postback/adjust/click/:token${end}`,
        bodyLimit: BODY_BYTES_MAX,
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

/** The parameters of the query and then the body. Of a repeated one, the first value that is given. */
function parametersOf({ query, body }: FastifyRequest): Record<string, string> {
  const values = new Map<string, string>();
  const add = (name: string, value: unknown): void => {
    const text = truncate(textOf(value), VALUE_CHARS_MAX);
    const first = values.get(name);
    const isTaken = first === undefined ? values.size < PARAMETERS_MAX : !isGiven(first) && isGiven(text);
    if (isTaken) values.set(name, text);
  };
  for (const [name, value] of Object.entries(query as Record<string, string | string[]>))
    for (const one of [value].flat()) add(name, one);
  for (const [name, value] of entriesOf(body)) add(name, value);
  return Object.fromEntries(values);
}

function entriesOf(body: unknown): Iterable<[string, unknown]> {
  if (body === undefined || body === null) return [];
  if (body instanceof URLSearchParams) return body;
  // The parameters of plain text are in the query, or it is a form under another name.
  if (typeof body === 'string') return body.includes('=') ? new URLSearchParams(body) : [];
  if (typeof body !== 'object' || Array.isArray(body)) throw new Malformed(apiMessages.postbackUnreadable);
  return Object.entries(body);
}

/** Converts a parameter to text; AppsFlyer's event_value, for example, may be an object. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
