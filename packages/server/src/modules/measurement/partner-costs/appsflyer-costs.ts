import { isTimeZone } from '@bidwell/contract/lib/calendar';
import { partnerCostMessages } from '@bidwell/contract/measurement/messages';
import { z } from 'zod';
import type { Context } from '../../../context.ts';
import type { PartnerResponse } from '../../../platform/outbound/call-partner.ts';
import { startOfText } from '../../../platform/outbound/receivers.ts';
import type { PartnerApp } from '../../../platform/postgres/partner-delivery-tables.ts';
import type { CostUploadRow } from './cost-rows.ts';
import { canParseUrl } from '@bidwell/contract/lib/can-parse-url';

// InCost API, and App list API for ad networks, as dev.appsflyer.com describes them.

export const APPSFLYER_HOST = 'hq1.appsflyer.com';
const API = `https://${APPSFLYER_HOST}/api`;
const NAME = 'AppsFlyer';

/** Why a call failed. */
export interface CallFailure {
  /** In the partner's words where it has some. */
  error: string;
  /** Whether the same call fails again. */
  isFinal: boolean;
  /** How long the partner asks to wait; null where it does not. */
  waitMs: number | null;
}
type Outcome<T> = T | { failure: CallFailure };

/** Dependencies of a call. */
export interface Calling {
  ctx: Pick<Context, 'callPartner'>;
  token: string;
  signal: AbortSignal;
}

/** The partner lists a thousand apps a page. */
const PAGES_MAX = 10;
const APPS_MAX = 10_000;

const AppPage = z.object({
  data: z.array(
    z.object({
      id: z.string().max(250),
      attributes: z
        .object({ time_zone: z.string().max(100).optional(), timezone: z.string().max(100).optional() })
        .optional(),
    }),
  ),
  links: z.object({ next: z.string().max(2000).nullish() }).optional(),
});

/** The apps for which the partner takes costs of this token. */
export async function listAppsFlyerApps(calling: Calling): Promise<Outcome<{ apps: PartnerApp[] }>> {
  const apps: PartnerApp[] = [];
  let address: string | null = `${API}/mng/apps?capabilities=cost&limit=1000`;
  for (let page = 0; address !== null && page < PAGES_MAX; page += 1) {
    const response: PartnerResponse = await call(calling, address, { method: 'GET' });
    const failure = failureOf(response);
    if (failure) return { failure };
    const parsed = AppPage.safeParse(jsonOf(response.text));
    if (!parsed.success) return unreadable;
    const { data, links } = parsed.data;
    for (const { id, attributes } of data)
      apps.push({ id, timeZone: timeZoneOf(attributes?.time_zone ?? attributes?.timezone) });
    address = links?.next ? nextPage(links.next, address) : null;
  }
  return { apps: apps.slice(0, APPS_MAX) };
}

/** The address of the next page, which has to be the partner's: the token goes there. */
function nextPage(next: string, current: string): string | null {
  if (!canParseUrl(next, current)) return null;
  const url = new URL(next, current);
  return url.protocol === 'https:' && url.host === APPSFLYER_HOST ? url.href : null;
}

/** A time zone that this server knows; null for another one. */
function timeZoneOf(name: string | undefined): string | null {
  return name && isTimeZone(name) ? name : null;
}

/** Uploads the costs of an app. Resolves to the partner's id of the upload, by which it says later what it made of it. */
export async function uploadAppsFlyerCosts(
  calling: Calling,
  appId: string,
  rows: readonly CostUploadRow[],
): Promise<Outcome<{ job: string }>> {
  const response = await call(calling, `${API}/incost-uploader/v1/data/app/${encodeURIComponent(appId)}`, {
    method: 'POST',
    body: JSON.stringify(rows),
    headers: { 'content-type': 'application/json' },
  });
  const failure = failureOf(response);
  if (failure) return { failure };
  const parsed = z.object({ job_id: z.string().min(1).max(500) }).safeParse(jsonOf(response.text));
  return parsed.success ? { job: parsed.data.job_id } : unreadable;
}

/** What the partner made of an upload; `pending` as long as it does not say. */
export type JobState =
  | { state: 'applied'; matchedPercent: number | null }
  | { state: 'refused'; error: string }
  | { state: 'pending' };

const Job = z.object({
  status: z.string().max(200).optional(),
  matched_records_percentage: z.union([z.string().max(20), z.number()]).optional(),
  error: z.object({ af_error_code: z.string().optional(), error_message: z.string().optional() }).nullish(),
});

/** Asks what became of an upload. */
export async function appsFlyerJobOf(
  calling: Calling,
  appId: string,
  job: string,
): Promise<Outcome<JobState>> {
  const path = `incost-jobstatus/v1/data/app/${encodeURIComponent(appId)}/job/${encodeURIComponent(job)}`;
  const response = await call(calling, `${API}/${path}`, { method: 'GET' });
  // The partner does not know the job yet, and says so with an error that asks for another call.
  if (response.status === 422) return { state: 'pending' };
  const failure = failureOf(response);
  if (failure) return { failure };
  const parsed = Job.safeParse(jsonOf(response.text));
  if (!parsed.success) return unreadable;
  const { status = '', error, matched_records_percentage: matched } = parsed.data;
  if (error) return { state: 'refused', error: wordsOf(response.text) };
  if (status.toLowerCase() !== 'applied') return { state: 'pending' };
  const percent = matched === undefined || matched === '' ? Number.NaN : Number(matched);
  return { state: 'applied', matchedPercent: Number.isFinite(percent) ? percent : null };
}

async function call(
  { ctx, token, signal }: Calling,
  address: string,
  { headers, ...given }: Parameters<Context['callPartner']>[1],
): Promise<PartnerResponse> {
  return ctx.callPartner(
    address,
    { ...given, headers: { ...headers, authorization: `Bearer ${token}`, accept: 'application/json' } },
    signal,
  );
}

const unreadable = {
  failure: { error: partnerCostMessages.unreadable(NAME), isFinal: false, waitMs: null },
} as const;

function failureOf({ status, text, retryAfterMs, failure }: PartnerResponse): CallFailure | null {
  if (failure) return { error: partnerCostMessages.failure[failure], isFinal: false, waitMs: null };
  if (status === null || (status >= 200 && status < 300)) return null;
  const words = wordsOf(text);
  const isFinal = status < 500 && status !== 429 && status !== 408;
  const error =
    status === 401
      ? partnerCostMessages.tokenRefused(NAME)
      : status === 403
        ? partnerCostMessages.tokenDenied(NAME)
        : partnerCostMessages.status(NAME, status);
  return { error: words ? `${error} “${words}”` : error, isFinal, waitMs: retryAfterMs };
}

const WORDS_CHARACTERS = 300;

/** The partner's words on a fault: the message of its error with its code, else the start of the response. */
function wordsOf(text: string): string {
  const parsed = z
    .object({ error: z.object({ af_error_code: z.string().optional(), error_message: z.string() }) })
    .safeParse(jsonOf(text));
  if (!parsed.success) return startOfText(text, WORDS_CHARACTERS);
  const { af_error_code: code, error_message: message } = parsed.data.error;
  return startOfText(code ? `${message} (${code})` : message, WORDS_CHARACTERS);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
