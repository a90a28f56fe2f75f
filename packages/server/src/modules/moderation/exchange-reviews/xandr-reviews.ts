import { exchangeReviewMessages } from '@bidwell/contract/creatives/exchange-review-messages';
import { z } from 'zod';
import type { PartnerCall } from '../../../platform/outbound/call-partner.ts';
import {
  type ReviewCalling,
  type ReviewOutcome,
  type Reviewer,
  type Submission,
  type Verdict,
  callReview,
  isGotSince,
} from './reviewer.ts';
import { callWithToken } from './tokens.ts';

// Creative service and audit of Xandr, as learn.microsoft.com/xandr/bidders describes them.

const HOST = 'api.adnxs.com';
const API = `https://${HOST}`;
/** A token is valid for two hours; at most ten are given in five minutes. */
const TOKEN_LIFE_MS = 110 * 60_000;
/** Xandr returns at most a hundred objects a call. */
const PAGE_SIZE = 100;
/** Only these, since whole creatives would exceed what is read of a response. */
const FIELDS = 'id,code,description,audit_status,audit_feedback,is_expired,is_prohibited,last_activity';

const Creative = z.object({
  id: z.number().int(),
  code: z.string().max(200).nullish(),
  description: z.string().max(1000).nullish(),
  audit_status: z.string().max(50).nullish(),
  audit_feedback: z.string().max(5000).nullish(),
  is_expired: z.boolean().nullish(),
  is_prohibited: z.boolean().nullish(),
  /** UTC, as `2026-03-07 12:04:10`. */
  last_activity: z.string().max(50).nullish(),
});
type Creative = z.infer<typeof Creative>;

const Found = z.object({
  response: z.object({
    status: z.string().optional(),
    count: z.number().int().optional(),
    creative: Creative.nullish(),
    /** Read one by one: the member may have creatives that were not submitted from here. */
    creatives: z.array(z.unknown()).nullish(),
  }),
});
const Written = z.object({
  response: z.object({ status: z.literal('OK'), creative: Creative.nullish() }),
});

/** “HTML (Xandr Created)”, and the template of native ads. */
const TEMPLATES = { html: 6, native: 39_461 };

/** Xandr's audit: creatives of a member, found by the code with which bids name them. */
export const xandrReviewer: Reviewer = {
  host: HOST,
  // Its pages name 14 and 15 days.
  unusedDays: 14,
  async submit(calling, submission) {
    if (submission.type === 'Video')
      return { failure: { error: exchangeReviewMessages.video, kind: 'creative', waitMs: null } };
    const { account } = calling;
    const code = encodeURIComponent(submission.creativeId);
    // It may have the creative: of an earlier version, or since its response did not arrive.
    const found = await call(
      calling,
      `${API}/creative?member_id=${account}&code=${code}&fields=${FIELDS}`,
      { method: 'GET' },
      Found,
    );
    if ('failure' in found && found.status !== 404) return { failure: found.failure };
    const present = 'failure' in found ? undefined : creativesOf(found.body)[0];
    if (
      present?.description === labelOf(submission) &&
      !present.is_expired &&
      isGotSince(activityOf(present), submission)
    )
      return verdictOf(present);
    const written = await call(
      calling,
      present ? `${API}/creative/${account}?code=${code}` : `${API}/creative/${account}`,
      { method: present ? 'PUT' : 'POST', body: JSON.stringify({ creative: bodyOf(submission) }) },
      Written,
    );
    if ('failure' in written) return { failure: written.failure };
    const { creative } = written.body.response;
    return creative ? verdictOf(creative) : { state: 'pending', reasons: [] };
  },
  async list(calling, cursor) {
    const start = cursor === null ? 0 : Number(cursor);
    const query = `start_element=${start}&num_elements=${PAGE_SIZE}&sort=id.asc&fields=${FIELDS}`;
    const found = await call(
      calling,
      `${API}/creative/${calling.account}?${query}`,
      { method: 'GET' },
      Found,
    );
    if ('failure' in found) return { failure: found.failure };
    const creatives = creativesOf(found.body);
    const { count = 0, creatives: listed } = found.body.response;
    const end = start + (listed ?? creatives).length;
    return {
      verdicts: new Map(creatives.flatMap((one) => (one.code ? [[one.code, verdictOf(one)] as const] : []))),
      next: end > start && end < count ? String(end) : null,
    };
  },
};

function creativesOf({ response }: z.infer<typeof Found>): readonly Creative[] {
  if (!response.creatives) return response.creative ? [response.creative] : [];
  return response.creatives.flatMap((listed) => Creative.safeParse(listed).data ?? []);
}

function activityOf({ last_activity: at }: Creative): string | null {
  return at ? `${at.replace(' ', 'T')}Z` : null;
}

/** By which a creative's version is found again at Xandr, which has no field for it. */
function labelOf({ version }: Pick<Submission, 'version'>): string {
  return `Version ${version}`;
}

function bodyOf(submission: Submission): Record<string, unknown> {
  const { creativeId, type, markup, width, height, clickUrl } = submission;
  const common = {
    code: creativeId,
    description: labelOf(submission),
    width,
    height,
    // Sends it to the audit, also again.
    allow_audit: true,
    allow_ssl_audit: true,
    audit_status: 'pending',
    status: { user_ready: true },
    mobile: { alternative_landing_page_url: clickUrl },
  };
  if (type === 'Native') {
    const { title, description, sponsor, image } = submission;
    const native = {
      title,
      description,
      sponsored_by: sponsor,
      image,
      link: { url: clickUrl, fallback_url: clickUrl },
    };
    return { ...common, template: { id: TEMPLATES.native }, native_attribute: native };
  }
  return { ...common, template: { id: TEMPLATES.html }, content: markup, content_secure: markup };
}

function verdictOf(creative: Creative): Verdict {
  const feedback = creative.audit_feedback?.trim();
  const reasons = feedback ? [feedback] : [];
  if (creative.is_prohibited) return { state: 'disapproved', reasons };
  switch (creative.audit_status) {
    case 'rejected':
    case 'unauditable':
      return { state: 'disapproved', reasons };
    case 'audited':
      return { state: creative.is_expired ? 'lapsed' : 'approved', reasons: [] };
    default:
      return { state: creative.is_expired ? 'lapsed' : 'pending', reasons: [] };
  }
}

/** Calls Xandr with a token of the user. A token that Xandr refuses is not used again. */
async function call<Schema extends z.ZodType>(
  calling: ReviewCalling,
  address: string,
  given: PartnerCall,
  schema: Schema,
): ReturnType<typeof callReview<Schema>> {
  return callWithToken(calling, address, { given, schema, scheme });
}

const scheme = { newToken, authorization: (token: string) => token };

async function newToken(calling: ReviewCalling): Promise<ReviewOutcome<{ token: string; lifeMs: number }>> {
  const { login: username, secret: password } = calling;
  const response = await callReview(
    calling,
    `${API}/auth`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ auth: { username, password } }),
    },
    z.object({ response: z.object({ token: z.string().min(1).max(5000) }) }),
  );
  return 'failure' in response
    ? { failure: response.failure }
    : { token: response.body.response.token, lifeMs: TOKEN_LIFE_MS };
}
