import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../config.ts';

/** How long a preview's address is good for. */
export const PREVIEW_MS = 3_600_000;

type Addressing = Pick<Config, 'signingSecret' | 'assetOrigin'>;

/**
 * An address under which a file can be looked at before it is approved: signed, good for an hour, and on the origin for
 * user files where there is one. Without one it is a path on the server's own host.
 */
export function previewAddress(
  config: Addressing,
  file: { uuid: string; extension: string },
  now: Date,
): { url: string; expiresAt: Date } {
  // Whole minutes, so that a page that asks again within one gets what the browser has already.
  const expires = Math.ceil((now.getTime() + PREVIEW_MS) / 60_000) * 60;
  const query = `expires=${expires}&signature=${signatureOf(config, file.uuid, expires)}`;
  return {
    url: `${config.assetOrigin ?? ''}/m/${file.uuid}.${file.extension}?${query}`,
    expiresAt: new Date(expires * 1000),
  };
}

/** True for the query of an address that {@link previewAddress} gave for this file and that has not expired. */
export function isPreview(
  config: Addressing,
  uuid: string,
  { expires, signature }: { expires?: number | undefined; signature?: string | undefined },
  now: Date,
): boolean {
  if (expires === undefined || signature === undefined || expires * 1000 <= now.getTime()) return false;
  const expected = Buffer.from(signatureOf(config, uuid, expires));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

function signatureOf({ signingSecret }: Addressing, uuid: string, expires: number): string {
  return createHmac('sha256', signingSecret).update(`preview\n${uuid}\n${expires}`).digest('base64url');
}
