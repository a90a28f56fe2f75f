import type { OperatorCompany } from '@bidwell/contract/operator/schema';
import { OperatorAccount } from '@bidwell/contract/operator-accounts/schema';
import { readConfig } from '@bidwell/server/config/config';
import { type RunningServer, start } from '@bidwell/server/start/main';
import { join } from 'node:path';
import { z } from 'zod';
import { type Counts, addCounts, emptyCounts } from '../counts.ts';
import type { AppModel } from '../in-app-behaviour.ts';
import { startExchange } from '../run.ts';
import { PREMIUM_SLOTS } from '../traffic/slots.ts';
import { type Api, type DemoUser, operatorApi } from './api.ts';
import { openBucket } from './bucket.ts';
import { openOutbox } from './outbox/outbox.ts';
import { DEMO_OPERATOR, demoCompanies, ensureExchange, refillFunds } from './company.ts';
import { prepareDemo } from './history/prepare.ts';
import { once } from './once.ts';
import { openPartners } from './partners.ts';
import { openReviews } from './reviews.ts';
import { COMPANIES } from './companies.ts';
import { networksOf } from './skadnetwork/network.ts';
import { EXCHANGES, PEOPLE, WORLD_SEED } from './exchanges.ts';

/** A running demo. */
export interface Demo {
  url: string;
  /** The page with the mails that the server sends; null if they go to a configured mail server. */
  outboxUrl: string | null;
  /** Who may log in. */
  logins: readonly DemoLogin[];
  counts(): Readonly<Counts>;
  /** Stops the exchanges, then the server. */
  close(): Promise<void>;
}

/** A login for the console. */
export interface DemoLogin extends DemoUser {
  /** The person with the login. */
  of: string;
}

interface DemoOptions {
  requestsPerSecond: number;
  onProgress: (line: string) => void;
  /** Time after which the exchange abandons a call to the server; two seconds by default. */
  callTimeoutMs?: number;
  /** Auctions in progress at a time. */
  auctionsMax?: number;
  /** The history that the first start writes: 90 days by default, up to the rate of the exchanges. */
  history?: { days: number; requestsPerSecond: number };
  /** Port of the outbox's page, 8025 by default; a free one if it is taken. */
  outboxPort?: number;
  /** Port of the bucket for events, 8026 by default. */
  bucketPort?: number;
}

const OUTBOX_PORT = 8025;
const BUCKET_PORT = 8026;
const MAIL_FROM = 'Bidwell <no-reply@bidwell.example>';

/**
 * Starts the server in this process, with the demo companies and their history, which the first start writes, and starts
 * the sample exchanges. `env` configures the server; by default, the demo uses the data folder data/demo.
 */
export async function startDemo(
  env: Record<string, string | undefined>,
  { requestsPerSecond, onProgress, callTimeoutMs, auctionsMax, history, outboxPort, bucketPort }: DemoOptions,
): Promise<Demo> {
  const reviews = env['PARTNER_STAND_IN'] ? null : await openReviews();
  const partners = reviews && (await openPartners(reviews.counterpart));
  const dataDir = env['DATA_DIR'] || 'data/demo';
  const bucket = await openBucket(join(dataDir, 'bucket'), bucketPort ?? BUCKET_PORT);
  const internalHosts = [env['ALERT_INTERNAL_HOSTS'], bucket?.host].filter(Boolean).join(',');
  const config = readConfig({
    ...(partners && { PARTNER_STAND_IN: partners.origin }),
    TCF_VENDOR_ID: String(PEOPLE.vendorId),
    ...env,
    ...(internalHosts !== '' && { ALERT_INTERNAL_HOSTS: internalHosts }),
    DATA_DIR: dataDir,
    LOG_LEVEL: env['LOG_LEVEL'] || 'error',
  });
  const url = config.publicUrl ?? `http://localhost:${config.port}`;
  await once(config, async () =>
    prepareDemo(config, { url, requestsPerSecond, ...history, seed: WORLD_SEED, bucket, onProgress }),
  );
  onProgress('Starting the server …');
  // A mail server of one's own takes the mails of the demo too.
  const outbox = config.mail ? null : await openOutbox(outboxPort ?? OUTBOX_PORT);
  const mail = outbox ? { url: outbox.smtpUrl, from: MAIL_FROM } : config.mail;
  const server = await start({ ...config, mail });
  try {
    const operator = operatorApi(server.operatorUrl, server.operatorToken);
    const companies = await demoCompanies(operator);
    await refillFunds(operator, companies);
    const stop = new AbortController();
    const secrets = await Promise.all(EXCHANGES.map(async (plan) => ensureExchange(operator, plan)));
    await reviews?.remember(operator);
    const exchanges = EXCHANGES.map(({ slug, domain, personality, share }, index) =>
      startExchange({
        url: server.url,
        ssp: slug,
        domain,
        personality,
        slots: PREMIUM_SLOTS,
        secret: secrets[index],
        requestsPerSecond: requestsPerSecond * share,
        callTimeoutMs,
        auctionsMax,
        seed: Date.now() + index,
        worldSeed: WORLD_SEED,
        people: PEOPLE,
        skadnetworksOf: networksOf,
        postback: { mmp: 'appsflyer', secret: secretsByApp(companies), modelOf, push: true },
        signal: stop.signal,
      }),
    );
    return {
      url: server.url,
      outboxUrl: outbox?.url ?? null,
      logins: [...loginsOf(companies), ...(await operatorLogins(operator, server))],
      counts: () => exchanges.reduce((sum, exchange) => addCounts(sum, exchange.counts()), emptyCounts()),
      async close() {
        stop.abort();
        await Promise.all(exchanges.map(({ finished }) => finished));
        await server.close();
        await outbox?.close();
        await partners?.close();
        await reviews?.counterpart.close();
        await bucket?.close();
      },
    };
  } catch (error) {
    await server.close();
    await outbox?.close();
    await partners?.close();
    await reviews?.counterpart.close();
    await bucket?.close();
    throw error;
  }
}

/** The logins that the demo prints. */
function loginsOf(companies: readonly OperatorCompany[]): DemoLogin[] {
  return COMPANIES.filter(({ user }) => companyOf(companies, user) !== undefined).flatMap(
    ({ name, user, team }) => {
      const editor = team?.colleagues.find(({ role }) => role === 'editor');
      return [
        { ...user, of: name },
        ...(editor ? [{ ...user, login: editor.login, of: `${name}, as an editor` }] : []),
      ];
    },
  );
}

/** The login of the demo's operator, and where; none in a data folder of an earlier release. */
async function operatorLogins(
  operator: Api,
  { url, operatorUrl }: Pick<RunningServer, 'url' | 'operatorUrl'>,
): Promise<DemoLogin[]> {
  const { operators } = await operator.get('/operators', z.object({ operators: z.array(OperatorAccount) }));
  const exists = operators.some(({ login }) => login === DEMO_OPERATOR.login);
  const console = operatorUrl === url ? '/operator' : `${operatorUrl}/operator`;
  return exists ? [{ ...DEMO_OPERATOR, of: `Operator, at ${console}` }] : [];
}

function companyOf(companies: readonly OperatorCompany[], { login }: DemoUser): OperatorCompany | undefined {
  return companies.find(({ logins }) => logins.includes(login));
}

/** Finds the postback secret of a company by what identifies its app in the redirect of a click. */
function secretsByApp(companies: readonly OperatorCompany[]): (redirect: string) => string | undefined {
  const secrets = COMPANIES.flatMap(({ user, apps }) =>
    apps.map(
      ({ linkToken, bundleId }) =>
        [linkToken ?? bundleId, companyOf(companies, user)?.postback_secret] as const,
    ),
  );
  return (redirect) => secrets.find(([app]) => redirect.includes(app))?.[1];
}

/** The purchases of the app that the redirect of a click leads to. */
function modelOf(redirect: string): AppModel | undefined {
  const apps = COMPANIES.flatMap((plan) => plan.apps);
  return apps.find(({ linkToken, bundleId }) => redirect.includes(linkToken ?? bundleId))?.model;
}
