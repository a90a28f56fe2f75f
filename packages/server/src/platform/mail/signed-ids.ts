import { createHmac, timingSafeEqual } from 'node:crypto';
import { parse, stringify } from 'uuid';

/**
 * The purpose of a mail's token: end the alerts of a company or the mails of a scheduled report, or confirm an address of a person, of a
 * company's billing details or of an invitation. With the number of its ids.
 */
const SERIES = {
  alerts: { label: 'bidwell unsubscribe 1', ids: 2 },
  report: { label: 'bidwell report unsubscribe 1', ids: 3 },
  person_address: { label: 'bidwell person address 1', ids: 2 },
  billing_address: { label: 'bidwell billing address 1', ids: 2 },
  invitation: { label: 'bidwell invitation 1', ids: 1 },
} as const;
export type MailSeries = keyof typeof SERIES;

const ID_BYTES = 16;
const SIGNATURE_BYTES = 32;

/** A token of a link that works without a login: ids that a secret has signed. It does not expire. Pure. */
export function signedIds(secret: string, series: MailSeries, ids: readonly string[]): string {
  const bytes = Buffer.concat(ids.map((id) => parse(id)));
  return Buffer.concat([bytes, signatureOf(secret, series, bytes)]).toString('base64url');
}

/** The ids of a token, if one of the secrets has signed it for this series; null otherwise. Pure. */
export function readSignedIds(
  secrets: readonly string[],
  series: MailSeries,
  token: string,
): string[] | null {
  const bytes = Buffer.from(token, 'base64url');
  const count = SERIES[series].ids;
  if (bytes.length !== count * ID_BYTES + SIGNATURE_BYTES) return null;
  const ids = bytes.subarray(0, count * ID_BYTES);
  const signature = bytes.subarray(count * ID_BYTES);
  if (!secrets.some((secret) => timingSafeEqual(signatureOf(secret, series, ids), signature))) return null;
  return Array.from({ length: count }, (_, n) =>
    stringify(Uint8Array.from(ids.subarray(n * ID_BYTES, (n + 1) * ID_BYTES))),
  );
}

function signatureOf(secret: string, series: MailSeries, ids: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(SERIES[series].label).update(ids).digest();
}
