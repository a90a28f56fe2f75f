import type { LightMyRequestResponse } from 'fastify';
import { v4 as uuidv4 } from 'uuid';
import { type RunningCampaign, makeRunningCampaign } from './bidding.ts';
import type { TestApp, TestCompany } from './test-app.ts';

/** A new exchange for one test. */
export interface TestExchange {
  slug: string;
  /** The path of its bid requests, with its secret. */
  path: string;
  /** Posts a body as it is. */
  post(payload: string | Buffer, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Sends a {@link bidRequest}. */
  send(over?: object, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
  /** Sends a {@link bidRequest} for one impression; returns the bid, or null for a 204. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test reads what it asserts
  bid(over?: object): Promise<any>;
}

/** A banner imp of 320 by 50. */
export function bannerImp(bidfloor = 0.5) {
  return { id: '1', banner: { w: 320, h: 50 }, bidfloor };
}

/** The body of a bid request for a banner on Android in the United States, with a new id; `over` replaces properties. */
export function bidRequest(over: object = {}) {
  return {
    id: uuidv4(),
    imp: [bannerImp()],
    app: { bundle: 'com.publisher' },
    device: { os: 'Android', osv: '14', ip: '203.0.113.9', ua: 'Agent/1.0', geo: { country: 'USA' } },
    ...over,
  };
}

/** Creates an exchange that the bidder knows. */
export async function freshExchange(
  app: Pick<TestApp, 'http' | 'operator' | 'settled'>,
  settings: object = {},
): Promise<TestExchange> {
  const slug = `exchange-${uuidv4().slice(0, 8)}`;
  const { data } = await app.operator('PUT', `/ssps/${slug}`, { name: 'Exchange', ...settings });
  await app.settled();
  const path: string = data.path;
  const post: TestExchange['post'] = (payload, headers) =>
    app.http.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
  const send: TestExchange['send'] = (over, headers) => post(JSON.stringify(bidRequest(over)), headers);
  return {
    slug,
    path,
    post,
    send,
    async bid(over) {
      const response = await send(over);
      return response.statusCode === 204 ? null : response.json().seatbid[0].bid[0];
    },
  };
}

/** Creates a company with a running campaign that bids on this exchange alone; `over` as in {@link makeRunningCampaign}. */
export async function campaignOn(
  app: TestApp,
  { slug }: Pick<TestExchange, 'slug'>,
  over: Parameters<typeof makeRunningCampaign>[2] = {},
): Promise<RunningCampaign & { company: TestCompany }> {
  const company = await app.freshCompany();
  const target = { exchange_include: [slug], ...over.target };
  return { company, ...(await makeRunningCampaign(app, company, { ...over, target })) };
}
