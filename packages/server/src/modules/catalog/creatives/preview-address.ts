import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../../config/config.ts';

/** Lifetime of a preview address. */
export const PREVIEW_MS = 3_600_000;

type Addressing = Pick<Config, 'signingSecret' | 'assetOrigin'>;

/**
 * Signed address of a file for viewing before approval, valid for an hour. On the asset origin where there is one,
 * otherwise a path on the server's own host.
 */
export function previewAddress(
  config: Addressing,
  file: { uuid: string; extension: string },
  now: Date,
): { url: string; expiresAt: Date } {
  // Rounded up to a minute, so that repeated requests get the same address and the browser's cache is used.
  const expires = Math.ceil((now.getTime() + PREVIEW_MS) / 60_000) * 60;
  const query = `expires=${expires}&signature=${signatureOf(config, file.uuid, expires)}`;
  return {
    url: `${config.assetOrigin ?? ''}/m/${file.uuid}.${file.extension}?${query}`,
    expiresAt: new Date(expires * 1000),
  };
}

/** Whether the query is from a {@link previewAddress} of this file that has not expired. */
export function isPreview(
  config: Addressing,
  uuid: string,
  { expires, signature }: { expires?: number | undefined; signature?: string | undefined },
  now: Date,
): boolean {
  if (expires === undefined || signature === undefined || expires * 1000 <= now.getTime()) return false;
  const expected = Buffer.from(signatureOf(config, uuid, expires));
  const actual = Buffer.from(signature);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

function signatureOf({ signingSecret }: Addressing, uuid: string, expires: number): string {
  return createHmac('sha256', signingSecret).update(`preview\n${uuid}\n${expires}`).digest('base64url');
}
