import type { BidRef } from '@bidwell/server/delivery/model/event';
import { type RunningCampaign, makeRunningCampaign } from '@bidwell/testing/bidding';
import type { Cluster } from '@bidwell/testing/cluster/cluster';
import type { ApiResponse, TestCompany } from '@bidwell/testing/test-app';

/** A company of a cluster with campaigns that bid, and an exchange that sends it traffic. */
export interface ClusterCompany {
  campaigns: RunningCampaign[];
  /** Whose bids the notices of the load are: a campaign that does not bid in auctions. */
  noticesOf: Partial<BidRef>;
  /** The exchange's name and secret. */
  ssp: { slug: string; secret: string };
  /** Calls `/api/internal{path}` as the company's user. */
  call: TestCompany['call'];
}

/** The profile of the users that {@link registerCompany} registers. */
export const PERSON = { email: 'chaos@example.com', first_name: 'Cha', last_name: 'Os', contact: 'none' };

const SLUG = 'chaos';
const CREDIT_DOLLARS = 10_000;

/**
 * Registers a company at a cluster with MODERATION=auto and CAPTCHA=off, adds an exchange, and starts a campaign for each
 * total budget in dollars; null is unlimited.
 */
export async function makeClusterCompany(
  cluster: Pick<Cluster, 'url' | 'operatorToken'>,
  budgets: readonly (number | null)[],
): Promise<ClusterCompany> {
  const operator = callerOf(`${cluster.url}/api/operator`, cluster.operatorToken);
  const company = await registerCompany(cluster.url, 'chaos');
  const { companyId, call } = company;
  const app = { operator, settled: async () => {} };
  const start = async (adset: object): Promise<RunningCampaign> =>
    makeRunningCampaign(app, company, { amount: CREDIT_DOLLARS, adset });
  const campaigns: RunningCampaign[] = [];
  for (const budget of budgets)
    campaigns.push(await start(budget === null ? {} : { all_budget_const: budget }));
  const { appUuid, campaignUuid, adsetUuid } = await start({});
  await expectDone(call('POST', `/campaign/${campaignUuid}/pause`));
  const ids = { companyId, appId: appUuid, campaignId: campaignUuid, adsetId: adsetUuid };
  const { secret } = (await expectDone(operator('PUT', `/ssps/${SLUG}`, { name: 'Chaos' }))).data;
  return { campaigns, noticesOf: ids, ssp: { slug: SLUG, secret }, call };
}

/**
 * Registers a company by its first user, and logs in; needs CAPTCHA=off. The user's profile is {@link PERSON}. A call logs in again where
 * the session is over.
 */
export async function registerCompany(
  url: string,
  login: string,
): Promise<Pick<TestCompany, 'companyId' | 'userId' | 'call' | 'upload'>> {
  const base = `${url}/api/internal`;
  const visitor = callerOf(base);
  const credentials = { login, password: 'correct horse' };
  const { data } = await expectDone(visitor('POST', '/registration', { ...credentials, ...PERSON }));
  let { access_token: token } = (await expectDone(visitor('POST', '/login', credentials))).data;
  const inSession = async (calling: () => Promise<ApiResponse>): Promise<ApiResponse> => {
    const answer = await calling();
    if (answer.status !== 401) return answer;
    const renewed = await visitor('POST', '/login', credentials);
    // The password may have been changed.
    if (renewed.status !== 200) return answer;
    token = renewed.data.access_token;
    return calling();
  };
  return {
    companyId: data.company_id as string,
    userId: data.user_id as string,
    call: async (...call) => inSession(async () => callerOf(base, token)(...call)),
    upload: async (...upload) => inSession(async () => uploaderOf(base, token)(...upload)),
  };
}

/** Calls `{base}{path}` with a token, if one is given. */
export function callerOf(base: string, token?: string): TestCompany['call'] {
  return async (method, path, body, headers = {}) =>
    answerOf(
      await fetch(base + path, {
        method,
        headers: {
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      }),
    );
}

/** Sends multipart forms to `{base}{path}`. */
function uploaderOf(base: string, token: string): TestCompany['upload'] {
  return async (method, path, parts) => {
    const form = new FormData();
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'string') form.append(name, part);
      else form.append(name, new Blob([new Uint8Array(part.content)]), part.name);
    const headers = { authorization: `Bearer ${token}` };
    return answerOf(await fetch(base + path, { method, headers, body: form }));
  };
}

async function answerOf(response: Response): Promise<ApiResponse> {
  const { data, errors } = (await response.json()) as Pick<ApiResponse, 'data'> & Partial<ApiResponse>;
  return {
    status: response.status,
    data,
    errors: errors ?? [],
    headers: Object.fromEntries(response.headers),
  };
}

async function expectDone(answering: Promise<ApiResponse>): Promise<ApiResponse> {
  const answer = await answering;
  if (answer.status >= 300) throw new Error(`${answer.status}: ${JSON.stringify(answer.data)}`);
  return answer;
}
