import type { Mmp } from '@bidwell/contract/apps/schema';
import type { PostbackTemplate } from '@bidwell/contract/postbacks/schema';
import { createHmac, randomUUID } from 'node:crypto';

/** The request of a partner that reports an install. */
export interface InstallRequest {
  url: URL;
  headers: Record<string, string>;
  /** Where the token or signature is; null without a secret. */
  credential: { kind: 'header' | 'parameter'; name: string } | null;
}

/** Headers in which partners send their token. */
const TOKEN_HEADERS: Record<Exclude<Mmp, 'adjust'>, string> = {
  appsflyer: 'authentication',
  appmetrica: 'authorization',
};

/**
 * The request by which a partner reports an install: the template of its address with the macros filled in, with the
 * token or signature of `secret` (null for none).
 */
export function installRequest(
  { mmp, value }: PostbackTemplate,
  { clickId, secret, atMs }: { clickId: string; secret: string | null; atMs: number },
): InstallRequest {
  const seconds = String(Math.floor(atMs / 1000));
  const values = new Map([
    ['clickid', clickId],
    ['click_id', clickId],
    ['label', clickId],
    ['activity_kind', 'install'],
    ['installed_at', seconds],
    ['install_timestamp', seconds],
    ['transaction_id', randomUUID()],
    ['app-id', 'test'],
    ['country_code', 'US'],
    ['country', 'US'],
  ]);
  const filled = value.replaceAll(/[({]([\w-]+)[)}]/g, (_macro, name: string) =>
    encodeURIComponent(values.get(name) ?? ''),
  );
  return withCredential(mmp, new URL(filled), secret);
}

function withCredential(mmp: Mmp, url: URL, secret: string | null): InstallRequest {
  if (secret === null) return { url, headers: {}, credential: null };
  if (mmp === 'adjust') {
    const signed = [...url.searchParams]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, value]) => `${name}=${value}`)
      .join('&');
    url.searchParams.set('signature', createHmac('sha256', secret).update(signed).digest('hex'));
    return { url, headers: {}, credential: { kind: 'parameter', name: 'signature' } };
  }
  const name = TOKEN_HEADERS[mmp];
  if (/^[\x20-\x7e]+$/.test(secret))
    return { url, headers: { [name]: secret }, credential: { kind: 'header', name } };
  // A header cannot contain other characters.
  url.searchParams.set('token', secret);
  return { url, headers: {}, credential: { kind: 'parameter', name: 'token' } };
}
