import { Mmp } from '@bidwell/contract/app';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Counter } from 'prom-client';
import type { ClickHouse } from '../../platform/clickhouse/client.ts';
import { Malformed, NotFound, Unavailable } from '../../platform/errors.ts';
import type { PostbackOutcome } from '@bidwell/contract/postback';
import type { Database } from '../../platform/postgres/client.ts';
import { TtlCache } from '../../platform/ttl-cache.ts';
import { storePostback } from './event-store.ts';
import type { Ingest } from './ingest.ts';
import { clickIdOf, postbackKind } from './postback-reading.ts';
import type { Signer } from './signing.ts';
import { findCompanyByPostbackSecret } from './store.ts';

/** What postbacks need of the world. */
export interface PostbackDeps {
  db: Database;
  clickhouse: ClickHouse;
  ingest: Ingest;
  signer: Signer;
  log: Logger;
  now: () => Date;
  /** Labels mmp and outcome. */
  counter: Counter<'mmp' | 'outcome'>;
}

const BODY_BYTES_MAX = 64 * 1024;

interface PostbackRequest {
  Params: { mmp: string; secret: string };
}

/**
 * The measurement partners' postbacks, GET or POST /postback/{mmp}/{the company's secret}. Every one with a right secret
 * is answered 200, as the partners ask, and kept as it came; the outcome says whether it counted. AppMetrica sends again
 * until it sees 200: an install counts once per click id, however often it is reported.
 */
export function registerPostbacks(http: FastifyInstance, deps: PostbackDeps): void {
  const companies = new TtlCache<string | null>(60_000, 10_000);

  const companyOf = (secret: string): Promise<string | null> =>
    companies
      .get(secret, () => findCompanyByPostbackSecret(deps.db, secret))
      .catch((err: unknown) => {
        deps.log.error({ err }, 'the company of a postback could not be read');
        throw new Unavailable();
      });

  void http.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_BYTES_MAX },
      (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.route<PostbackRequest>({
      method: ['GET', 'POST'],
      url: '/postback/:mmp/:secret',
      bodyLimit: BODY_BYTES_MAX,
      handler: async (request, reply) => {
        const mmp = Mmp.safeParse(request.params.mmp);
        const { secret } = request.params;
        const companyId = secret.length <= 100 && (await companyOf(secret));
        if (!mmp.success || !companyId) throw new NotFound('Postback address');
        const outcome = await accept(deps, companyId, mmp.data, parametersOf(request));
        deps.counter.inc({ mmp: mmp.data, outcome });
        return reply.code(200).send({ data: { outcome } });
      },
    });
  });
}

async function accept(
  deps: PostbackDeps,
  companyId: string,
  mmp: Mmp,
  parameters: Record<string, string>,
): Promise<PostbackOutcome> {
  const clickId = clickIdOf(parameters);
  const outcome = await count(deps, companyId, mmp, parameters, clickId);
  const record = {
    atMs: deps.now().getTime(),
    companyId,
    mmp,
    outcome,
    clickId,
    parameters: JSON.stringify(parameters),
  };
  // The install itself is safe by now; its raw form is kept as well as it can be.
  storePostback(deps.clickhouse, record).catch((err: unknown) =>
    deps.log.error({ err }, 'a raw postback was not kept'),
  );
  return outcome;
}

async function count(
  deps: PostbackDeps,
  companyId: string,
  mmp: Mmp,
  parameters: Record<string, string>,
  clickId: string,
): Promise<PostbackOutcome> {
  const kind = postbackKind(mmp, parameters);
  if (kind !== 'install') return kind;
  const ref = deps.signer.read('click-id', clickId);
  if (!ref || ref.companyId !== companyId) return 'unknown_click';
  return deps.ingest.record({
    kind: 'install',
    atMs: deps.now().getTime(),
    ref,
    spendMicros: 0,
    lossReason: 0,
    mark: '',
  });
}

function parametersOf({ query, body }: FastifyRequest): Record<string, string> {
  if (body !== undefined && body !== null && (typeof body !== 'object' || Array.isArray(body))) {
    throw new Malformed('The postback cannot be read.');
  }
  const entries = Object.entries({ ...(query as object), ...(body as object | null) });
  return Object.fromEntries(
    entries.slice(0, 200).map(([name, value]) => [name, textOf(value).slice(0, 4096)]),
  );
}

/** A parameter as text: AppsFlyer's event_value, for one, may be an object. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
