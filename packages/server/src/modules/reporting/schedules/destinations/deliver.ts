import type { ReportMessage } from '@bidwell/contract/report-schedules/destination-schema';
import { reportScheduleMessages } from '@bidwell/contract/report-schedules/messages';
import type { Context } from '../../../../context.ts';
import { signedHeaders } from '../../../../platform/outbound/sign-message.ts';
import { s3KeysOf, secretOf, type DestinationRow } from './destination-store.ts';

/** A file that is stored in a bucket. */
export interface StoredFile {
  /** Behind the prefix of the bucket. */
  path: string;
  content: Buffer;
  contentType: string;
}

/** Content for destinations: a message to webhooks, a file to buckets. */
export interface Parcel {
  /** The same in each try, by which receivers of webhooks recognise repetitions. */
  id: string;
  message: ReportMessage;
  file: StoredFile;
}

/** The outcome of a parcel. */
export interface Delivered {
  isDelivered: boolean;
  status: number | null;
  /** The start of the response of a webhook, the error code of S3; null without a response. */
  start: string | null;
  /** Why it was not delivered, in a sentence; null otherwise. */
  error: string | null;
  /** Whether another try is in vain. */
  isFinal: boolean;
}

/** The receiver does not want any further message. */
const GONE = 410;

/** Whether a destination that did not take a parcel will not take it later: a webhook that is gone, or one whose secret is lost. Pure. */
export function isGivenUp(
  { type, secret }: Pick<DestinationRow, 'type' | 'secret'>,
  status: number | null,
): boolean {
  return secret === null || (type === 'webhook' && status === GONE);
}

/** Sends a parcel to a destination of a company, in one try of at most half a minute. `signal` breaks it off. */
export async function deliver(
  ctx: Context,
  destination: DestinationRow,
  parcel: Parcel,
  signal?: AbortSignal,
): Promise<Delivered> {
  if (destination.type !== 'webhook') return storeInBucket(ctx, destination, parcel.file, signal);
  const secret = secretOf(ctx, destination);
  const delivered =
    secret === null
      ? { isDelivered: false, status: null, start: null, error: reportScheduleMessages.reportSecretLost }
      : await postTo(ctx, destination, { secret, parcel, signal });
  return { ...delivered, isFinal: !delivered.isDelivered && isGivenUp(destination, delivered.status) };
}

/** Stores a file in a bucket of a company, in one try of at most half a minute. `signal` breaks it off. */
export async function storeInBucket(
  ctx: Context,
  destination: DestinationRow,
  file: StoredFile,
  signal?: AbortSignal,
): Promise<Delivered> {
  const secret = secretOf(ctx, destination);
  const delivered =
    secret === null
      ? { isDelivered: false, status: null, start: null, error: reportScheduleMessages.reportSecretLost }
      : await storeIn(ctx, destination, { secret, file, signal });
  return { ...delivered, isFinal: !delivered.isDelivered && isGivenUp(destination, delivered.status) };
}

interface Sending {
  secret: string;
  parcel: Parcel;
  signal: AbortSignal | undefined;
}

async function postTo(
  ctx: Context,
  { url }: DestinationRow,
  { secret, parcel: { id, message }, signal }: Sending,
): Promise<Omit<Delivered, 'isFinal'>> {
  const body = JSON.stringify(message);
  const headers = signedHeaders(secret, { id, at: ctx.now(), body });
  const { status, start, failure } = await ctx.postMessage(url, { headers, body }, signal);
  const isDelivered = status !== null && status >= 200 && status < 300;
  const error = failure
    ? reportScheduleMessages.reportFailure[failure]
    : reportScheduleMessages.reportWebhookStatus(status ?? 0);
  return { isDelivered, status, start: status === null ? null : start, error: isDelivered ? null : error };
}

async function storeIn(
  ctx: Context,
  { url, region, bucket, prefix }: DestinationRow,
  { secret, file, signal }: Omit<Sending, 'parcel'> & { file: StoredFile },
): Promise<Omit<Delivered, 'isFinal'>> {
  const place = { endpoint: url, region: region ?? '', bucket: bucket ?? '', ...s3KeysOf(secret) };
  const { path, content, contentType } = file;
  const { status, code, failure } = await ctx.putObject(
    place,
    { name: `${prefix ?? ''}${path}`, content, contentType },
    signal,
  );
  if (failure)
    return { isDelivered: false, status, start: null, error: reportScheduleMessages.reportFailure[failure] };
  if (code === null) return { isDelivered: true, status, start: null, error: null };
  const error = reportScheduleMessages.s3Refusal[code] ?? reportScheduleMessages.s3Status(status ?? 0, code);
  return { isDelivered: false, status, start: code, error };
}
