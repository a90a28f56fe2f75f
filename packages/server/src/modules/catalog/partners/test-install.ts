import type { Mmp } from '@bidwell/contract/apps/schema';
import { PARTNERS, postbackQueries } from '@bidwell/contract/measurement/partners/partners';
import { createHmac, randomUUID } from 'node:crypto';

/** The request of a partner that reports an install. */
export interface InstallRequest {
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
