import type {
  ReportDestination,
  ReportDestinationType,
} from '@bidwell/contract/report-schedules/destination-schema';

export const DESTINATION_LABELS: Readonly<Record<ReportDestinationType, string>> = {
  webhook: 'Webhook',
  s3: 'S3 bucket',
};

/** What a destination is: `S3 bucket, exports/daily at https://s3.eu-central-1.amazonaws.com`. Pure. */
export function destinationText({ type, url, bucket, prefix }: ReportDestination): string {
  const what = DESTINATION_LABELS[type];
  return type === 'webhook' ? `${what}, ${url}` : `${what}, ${bucket}/${prefix} at ${url}`;
}
