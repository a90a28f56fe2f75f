import { createPrivateKey, createSign } from 'node:crypto';
import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import { z } from 'zod';
import type { PartnerCall } from '../../../platform/outbound/call-partner.ts';
import {
  type ReviewCalling,
  type ReviewFailure,
  type ReviewOutcome,
  type Reviewer,
  type Submission,
  type Verdict,
  type VerdictPage,
  callReview,
  isGotSince,
  jsonOf,
} from './reviewer.ts';
import { callWithToken } from './tokens.ts';

// Real-time Bidding API of Google Authorized Buyers, as developers.google.com/authorized-buyers/apis describes it.

const HOST = 'realtimebidding.googleapis.com';
const API = `https://${HOST}/v1`;
const TOKENS = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/realtime-bidding';
/** Of a page, so that it stays within what is read of a response. */
const PAGE_SIZE = 100;
/** A token is renewed this long before it ends. */
const RENEWED_MS = 5 * 60_000;

const ServiceAccount = z.object({ client_email: z.string().min(1), private_key: z.string().min(1) });

/** Why a text cannot be the JSON key of a service account, as a sentence that people read; null where it can. */
export function faultOfServiceAccountKey(text: string): string | null {
  const key = ServiceAccount.safeParse(jsonOf(text));
  if (!key.success) return exchangeReviewMessages.googleKey;
  try {
    createPrivateKey(key.data.private_key);
    return null;
  } catch {
    return exchangeReviewMessages.googlePrivateKey;
  }
}

/** The content of a creative, which is compared with what Google has. */
const Content = z.object({
  html: z.object({ snippet: z.string(), width: z.number(), height: z.number() }).partial().optional(),
  video: z.object({ videoVastXml: z.string() }).partial().optional(),
  native: z
    .object({
      headline: z.string(),
      body: z.string(),
      advertiserName: z.string(),
      image: z.object({ url: z.string() }).partial(),
    })
    .partial()
    .optional(),
  declaredClickThroughUrls: z.array(z.string()).optional(),
});

const Compliance = z
  .object({
    status: z.string().max(50).optional(),
    topics: z.array(z.object({ policyTopic: z.string().max(200).optional() })).optional(),
  })
  .optional();
const Creative = Content.extend({
  creativeId: z.string().max(200).optional(),
  apiUpdateTime: z.string().max(50).optional(),
  creativeServingDecision: z.object({ networkPolicyCompliance: Compliance }).optional(),
});
type Creative = z.infer<typeof Creative>;

const CreativePage = z.object({
  /** Read one by one: the buyer may have creatives that were not submitted from here. */
  creatives: z.array(z.unknown()).optional(),
  nextPageToken: z.string().max(2000).optional(),
});

/** Google's review: one resource for each creative of a buyer. */
export const googleReviewer: Reviewer = {
  host: HOST,
  unusedDays: 15,
  async submit(calling, submission) {
    const { account } = calling;
    const { creativeId } = submission;
    const all = `${API}/buyers/${account}/creatives`;
    const one = `${all}/${encodeURIComponent(creativeId)}`;
    const content = contentOf(submission);
    // It may have the creative: of an earlier version, or since its response did not arrive.
    const present = await call(calling, `${one}?view=FULL`, { method: 'GET' }, Creative);
    if (
      !('failure' in present) &&
      isSame(present.body, content) &&
      isGotSince(present.body.apiUpdateTime, submission)
    )
      return verdictOf(present.body);
    if ('failure' in present) {
      if (present.status !== 404) return { failure: present.failure };
      const body = JSON.stringify({ creativeId, ...content });
      const created = await call(calling, all, { method: 'POST', body }, Creative);
      if (!('failure' in created)) return verdictOf(created.body);
      // An inactive creative is not returned, but exists.
      if (created.status !== 409) return { failure: created.failure };
    }
    const patch = `${one}?updateMask=${Object.keys(content).join()}`;
    const updated = await call(calling, patch, { method: 'PATCH', body: JSON.stringify(content) }, Creative);
    return 'failure' in updated ? { failure: updated.failure } : verdictOf(updated.body);
  },
  async list(calling, cursor) {
    const query = new URLSearchParams({ pageSize: String(PAGE_SIZE), view: 'SERVING_DECISION_ONLY' });
    if (cursor !== null) query.set('pageToken', cursor);
    const address = `${API}/buyers/${calling.account}/creatives?${String(query)}`;
    const page = await call(calling, address, { method: 'GET' }, CreativePage);
    if ('failure' in page) return { failure: page.failure };
    const verdicts: [string, Verdict][] = (page.body.creatives ?? []).flatMap((listed) => {
      const { data: creative } = Creative.safeParse(listed);
      return creative?.creativeId === undefined ? [] : [[creative.creativeId, verdictOf(creative)]];
    });
    return { verdicts: new Map(verdicts), next: page.body.nextPageToken || null } satisfies VerdictPage;
  },
};

/** The fields of a creative that Google reviews. */
function contentOf(submission: Submission): Record<string, unknown> & z.infer<typeof Content> {
  const { type, markup, width, height, title, description, sponsor, image, clickUrl } = submission;
  const common = { advertiserName: submission.advertiser, declaredClickThroughUrls: [clickUrl] };
  if (type === 'Video') return { ...common, video: { videoVastXml: markup ?? '' } };
  if (type === 'Native')
    return {
      ...common,
      native: { headline: title, body: description, advertiserName: sponsor, image, clickLinkUrl: clickUrl },
    } as ReturnType<typeof contentOf>;
  return { ...common, html: { snippet: markup ?? '', width, height } };
}

/** Whether Google has the content that is submitted. */
function isSame(present: Creative, submitted: z.infer<typeof Content>): boolean {
  const partsOf = ({ html, video, native, declaredClickThroughUrls: urls }: z.infer<typeof Content>) =>
    JSON.stringify([
      html?.snippet,
      video?.videoVastXml,
      native?.headline,
      native?.body,
      native?.advertiserName,
      native?.image?.url,
      urls,
    ]);
  return partsOf(present) === partsOf(submitted);
}

function verdictOf({ creativeServingDecision: decision }: Creative): Verdict {
  const { status, topics = [] } = decision?.networkPolicyCompliance ?? {};
  const reasons = topics.flatMap(({ policyTopic }) => (policyTopic ? [policyTopic] : []));
  if (status === 'APPROVED') return { state: 'approved', reasons: [] };
  return status === 'DISAPPROVED' ? { state: 'disapproved', reasons } : { state: 'pending', reasons: [] };
}

/** Calls Google with a token of the service account. A token that Google refuses is not used again. */
async function call<Schema extends z.ZodType>(
  calling: ReviewCalling,
  address: string,
  given: PartnerCall,
  schema: Schema,
): ReturnType<typeof callReview<Schema>> {
  return callWithToken(calling, address, { given, schema, scheme });
}

const scheme = { newToken, authorization: (token: string) => `Bearer ${token}` };

/** A token of a service account, by a signed statement (RFC 7523). */
async function newToken(calling: ReviewCalling): Promise<ReviewOutcome<{ token: string; lifeMs: number }>> {
  const key = ServiceAccount.safeParse(jsonOf(calling.secret));
  if (!key.success) return { failure: lostKey };
  const seconds = Math.floor(calling.ctx.now().getTime() / 1000);
  const statement = [
    { alg: 'RS256', typ: 'JWT' },
    { iss: key.data.client_email, scope: SCOPE, aud: TOKENS, iat: seconds, exp: seconds + 3600 },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  let signature: string;
  try {
    signature = createSign('RSA-SHA256').update(statement).sign(key.data.private_key, 'base64url');
  } catch {
    return { failure: lostKey };
  }
  const body = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: `${statement}.${signature}`,
  });
  const response = await callReview(
    calling,
    TOKENS,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: String(body),
    },
    z.object({ access_token: z.string().min(1).max(5000), expires_in: z.number().positive() }),
  );
  if ('failure' in response) {
    const { failure, status } = response;
    // Google says with 400 that it does not know the account or its key.
    return { failure: status === 400 ? { ...failure, kind: 'account' } : failure };
  }
  const { access_token: token, expires_in: life } = response.body;
  return { token, lifeMs: Math.max(0, life * 1000 - RENEWED_MS) };
}

const lostKey: ReviewFailure = {
  error: exchangeReviewMessages.credentials,
  kind: 'account',
  waitMs: null,
};
