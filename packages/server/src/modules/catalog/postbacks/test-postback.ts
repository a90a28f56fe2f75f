import type { Mmp } from '@bidwell/contract/apps/fields';
import {
  POSTBACK_TEST_STEPS,
  type PostbackTest,
  PostbackTestReply,
  type PostbackTestStep,
} from '@bidwell/contract/postbacks/schema';
import { PARTNERS, mmpNames, postbackQueries } from '@bidwell/contract/measurement/partners/partners';
import { apiMessages } from '@bidwell/contract/text/api-messages';
import { z } from 'zod';
import { Failure } from '@bidwell/contract/lib/wire';
import { readBodyText } from '../../../platform/http/bodies/response-body.ts';
import { createHmac, randomUUID } from 'node:crypto';

type Step = PostbackTest['steps'][number];

/** The values with which a test was sent. */
export interface SentTest extends Pick<InstallRequest, 'credential'> {
  /** The name of the product. */
  product: string;
  mmp: Mmp;
  /** The server's public address, without a trailing slash. */
  origin: string;
  /** The configured networks. */
  networks: readonly string[];
}

/** The steps of a test with their results. Pure. */
export function stepsOf(sent: SentTest, reply: Reply): Step[] {
  const done = reply.kind === 'decided' ? decidedSteps(sent, reply.test) : stoppedSteps(sent, reply);
  return POSTBACK_TEST_STEPS.map(
    (step) =>
      done.find((one) => one.step === step) ?? {
        step,
        result: 'skipped',
        text: 'Not tested, because another step failed.',
      },
  );
}

const passed = (step: PostbackTestStep, text: string): Step => ({ step, result: 'passed', text });
const failed = (step: PostbackTestStep, text: string): Step => ({ step, result: 'failed', text });
const skipped = (step: PostbackTestStep, text: string): Step => ({ step, result: 'skipped', text });

const SECRET_ACCEPTED = 'The secret in the URL is accepted as your company’s.';

function stoppedSteps({ origin, product }: SentTest, reply: Exclude<Reply, { kind: 'decided' }>): Step[] {
  const reached = passed('address', `${origin} was reached, and ${product} replied.`);
  switch (reply.kind) {
    case 'unreachable':
      return [
        failed(
          'address',
          reply.reason === 'timeout'
            ? `${origin} did not reply within 5 seconds.`
            : `${origin} could not be reached from the ${product} server. If partners reach it from the internet, only the server’s own network is in the way.`,
        ),
      ];
    case 'status':
      return [failed('address', statusText({ origin, product }, reply))];
    case 'wrong_secret':
      return [
        reached,
        failed(
          'secret',
          `The server at ${origin} does not know your company’s secret: it may be another one.`,
        ),
      ];
    case 'not_a_test':
      return [
        reached,
        passed('secret', SECRET_ACCEPTED),
        failed(
          'click',
          'The server did not recognize the test click: something on the way changes parameters, or the server runs another release or signs with another key. It is listed among the postbacks with an unknown click ID.',
        ),
      ];
  }
}

function statusText(
  { origin, product }: Pick<SentTest, 'origin' | 'product'>,
  { status, location }: { status: number; location: string },
): string {
  if (status >= 300 && status < 400)
    return `${origin} redirects${location && ` to ${location.slice(0, 200)}`}. Partners may not follow: the public address has to be the one that replies.`;
  if (status === 503)
    return `${origin} replied that its databases are not available. Please try again in a minute.`;
  return `${origin} replied with status ${status}, which does not come from ${product}’s postback address.`;
}

function decidedSteps(sent: SentTest, test: PostbackTestReply): Step[] {
  const { origin, product } = sent;
  const steps = [
    passed('address', `${origin} was reached, and ${product} replied.`),
    passed('secret', SECRET_ACCEPTED),
    credentialStep(sent, test),
    networkStep(sent, test),
  ];
  if (test.credential === 'failed') return steps;
  return [
    ...steps,
    passed('click', 'The click ID names a click of your company.'),
    test.outcome === 'stored'
      ? passed('install', 'A real install would be counted. This one is a test: it is not stored or counted.')
      : failed('install', `The install would not be counted; the outcome is “${test.outcome}”.`),
  ];
}

function credentialStep(
  { product, mmp, credential }: SentTest,
  { credential: state }: PostbackTestReply,
): Step {
  const name = mmpNames[mmp];
  const what = PARTNERS[mmp].postbacks.credential.kind;
  if (state === 'none')
    return skipped(
      'credential',
      `No ${what} is configured: every postback with the secret in its URL is accepted. Set it under Checks.`,
    );
  const where = credential ? `in the ${credential.kind} “${credential.name}”` : '';
  if (state === 'passed')
    return passed(
      'credential',
      `The test was sent with the configured ${what} ${where}, and accepted. ${name} must send the same.`,
    );
  return failed(
    'credential',
    credential
      ? `The ${what} was sent ${where} and was not accepted: something in front of ${product} removes or changes it, or it was changed just now.`
      : `A ${what} was configured just now. Please test again.`,
  );
}

function networkStep({ mmp, networks }: SentTest, { network, from }: PostbackTestReply): Step {
  if (network === 'none')
    return skipped('network', 'No networks are configured: postbacks are accepted from every address.');
  if (network === 'passed')
    return passed('network', `The test came from ${from}, which is in a configured network.`);
  const count = networks.length === 1 ? 'network' : `${networks.length} networks`;
  return skipped(
    'network',
    `Postbacks count only from the configured ${count}. The test came from ${from} and was exempted; if postbacks of ${mmpNames[mmp]} seem to come from there too, ask the operator of this server to configure its proxy.`,
  );
}

/** The response of the address of postbacks. */
type Reply =
  /** Bidwell decided the test. */
  | { kind: 'decided'; test: PostbackTestReply }
  /** Bidwell replied 404: it does not know the secret. */
  | { kind: 'wrong_secret' }
  /** Bidwell took it for the postback of a real click. */
  | { kind: 'not_a_test' }
  /** Something else replied, or Bidwell without its databases. */
  | { kind: 'status'; status: number; location: string }
  | { kind: 'unreachable'; reason: 'timeout' | 'network' };

const TIMEOUT_MS = 5000;
const REPLY_BYTES_MAX = 16 * 1024;

const Decided = z.object({ data: PostbackTestReply });
const Counted = z.object({ data: z.object({ outcome: z.string() }) });

/** Sends the request of a partner through the network, and waits at most 5 s for the reply. Follows no redirect. */
export async function sendInstall({ url, headers }: InstallRequest): Promise<Reply> {
  try {
    const response = await fetch(url, {
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return replyOf(response, await bodyOf(response));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return { kind: 'unreachable', reason: isLate ? 'timeout' : 'network' };
  }
}

function replyOf({ status, headers }: Response, body: unknown): Reply {
  if (status === 200) {
    const decided = Decided.safeParse(body);
    if (decided.success) return { kind: 'decided', test: decided.data.data };
    if (Counted.safeParse(body).success) return { kind: 'not_a_test' };
  }
  const rejected = Failure.safeParse(body);
  if (status === 404 && rejected.data?.data === apiMessages.notFound('Postback address'))
    return { kind: 'wrong_secret' };
  return { kind: 'status', status, location: headers.get('location') ?? '' };
}

/** The JSON of a response; null if it is anything else, or too long. */
async function bodyOf({ body }: Response): Promise<unknown> {
  const { text, whole } = await readBodyText(body, REPLY_BYTES_MAX);
  if (!whole) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The request of a partner that reports an install. */
interface InstallRequest {
  url: URL;
  headers: Record<string, string>;
  /** Where the token or signature is; null without a secret. */
  credential: { kind: 'header' | 'parameter'; name: string } | null;
}

/**
 * The request by which a partner reports an install to `address`: the parameters that are set up there for installs, with
 * values in place of the macros, and with the token or signature of `secret` (null for none).
 */
export function installRequest(
  mmp: Mmp,
  address: string,
  { clickId, secret, atMs }: { clickId: string; secret: string | null; atMs: number },
): InstallRequest {
  const values = new Map([
    ['click_id', clickId],
    ['activity_kind', 'install'],
    ['event_id', randomUUID()],
    ['event_name', PARTNERS[mmp].postbacks.installNames[0]!],
    ['install_time', String(Math.floor(atMs / 1000))],
  ]);
  const url = new URL(address);
  for (const [name] of postbackQueries(mmp)[0]!.parameters)
    url.searchParams.set(name, values.get(name) ?? '');
  return withCredential(mmp, url, secret);
}

function withCredential(mmp: Mmp, url: URL, secret: string | null): InstallRequest {
  if (secret === null) return { url, headers: {}, credential: null };
  const { kind, header: name } = PARTNERS[mmp].postbacks.credential;
  if (kind === 'signature') {
    const signed = [...url.searchParams]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([parameter, value]) => `${parameter}=${value}`)
      .join('&');
    url.searchParams.set('signature', createHmac('sha256', secret).update(signed).digest('hex'));
    return { url, headers: {}, credential: { kind: 'parameter', name: 'signature' } };
  }
  if (/^[\x20-\x7e]+$/.test(secret))
    return { url, headers: { [name]: secret }, credential: { kind: 'header', name } };
  // A header cannot contain other characters.
  url.searchParams.set('token', secret);
  return { url, headers: {}, credential: { kind: 'parameter', name: 'token' } };
}
