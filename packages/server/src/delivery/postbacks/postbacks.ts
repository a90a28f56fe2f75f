import { Mmp } from '@bidwell/contract/apps/schema';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { inTime } from '../../platform/concurrency/in-time.ts';
import { NotFound, Unavailable } from '../../platform/errors.ts';
import type { Database } from '../../platform/postgres/client.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import { parametersOf, readPostbackBodies } from './postback-body.ts';
import type { PostbackQueue } from './postback-queue.ts';
import type { Signer } from '../trackers/signing.ts';
import { findCompanyByPostbackSecret } from '../trackers/store.ts';
import { tryTestPostback } from './test-postback.ts';

/** Dependencies of the postback routes. */
export interface PostbackDeps {
  db: Database;
  queue: Pick<PostbackQueue, 'add'>;
  signer: Signer;
  log: Logger;
  now: () => Date;
}

const HEADER_CHARS_MAX = 2000;
/** How long it is remembered whose an address is, of how many, and how long a look-up may take. */
const COMPANY_MS = 60_000;
const COMPANIES_MAX = 10_000;
const LOOK_UP_MS = 2000;

interface SecretRequest {
  Params: { mmp: string; secret: string };
}
interface TokenRequest {
  Params: { token: string };
}

/**
 * Registers the measurement partners' postbacks, GET or POST: /postback/{mmp}/{the company's secret}, configured at the
 * partner, and /postback/adjust/click/{token}, which is in Adjust's links and can report the install of one click. Status
 * 200 means that the postback is on disk; it is decided afterwards, whatever the databases do meanwhile. Who asks for the outcome by
 * `Prefer: wait` (RFC 7240) waits for it. Partners retry
 * until they get 200: an install counts once per click id, however often it is reported. HEAD counts nothing. A postback
 * of a test click is decided and not stored.
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
  ): Promise<FastifyReply> => {
    const { authorization = '', authentication = '' } = request.headers;
    const clickInAddress = of.installToken !== '';
    const postback = {
      ...of,
      parameters: parametersOf(
        request,
        clickInAddress,
        (clickId) => deps.signer.read('click-id', clickId)?.companyId === of.companyId,
      ),
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
