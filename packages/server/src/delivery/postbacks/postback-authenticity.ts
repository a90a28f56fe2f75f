import type { Mmp } from '@bidwell/contract/apps/fields';
import { PARTNERS } from '@bidwell/contract/measurement/partners/partners';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { networkMatcher, parseNetwork } from '../../platform/networks.ts';
import { type PostbackParameters, givenValue } from './postback-reading.ts';

/** How a company checks the postbacks of a partner. */
export interface PostbackChecks {
  /** `address` or `address/bits`; empty for any. */
  networks: readonly string[];
  /** The partner's token, or the key that it signs with; null for none. */
  secret: string | null;
}

/** Origin and credentials of a postback. */
export interface PostbackSender {
  ip: string;
  /** True where the URL contains the click in a token signed by us, so that the partner's signature need not cover it. */
  clickInAddress: boolean;
  /** The `authorization` or `authentication` header; '' without one. */
  authorization: string;
}

/**
 * The check of the company that a postback fails: it comes from none of the networks, or lacks the secret. Null if it
 * passes; without checks every postback passes. `clickId` is the click that it is decided for.
 */
export function failedCheckOf(
  { networks, secret }: PostbackChecks,
  mmp: Mmp,
  sender: PostbackSender,
  parameters: PostbackParameters,
  clickId: string,
): 'network' | 'credential' | null {
  if (!isFromNetworks(networks, sender.ip)) return 'network';
  return hasCredential(secret, mmp, sender, parameters, clickId) ? null : 'credential';
}

/** Whether an address is in one of the networks; any is, where there are none. */
export function isFromNetworks(networks: PostbackChecks['networks'], ip: string): boolean {
  return networks.length === 0 || networkMatcher(networks.flatMap((text) => parseNetwork(text) ?? []))(ip);
}

/**
 * Whether a postback has the secret; any has, where it is null. All partners but Adjust send a token as it is, in the
 * header `authentication` or `authorization` or the parameter `token`. Adjust signs, with SHA-1 or SHA-256, see
 * {@link isSignedByAdjust}.
 */
export function hasCredential(
  secret: PostbackChecks['secret'],
  mmp: Mmp,
  sender: PostbackSender,
  parameters: PostbackParameters,
  clickId: string,
): boolean {
  if (secret === null) return true;
  if (PARTNERS[mmp].postbacks.credential.kind === 'signature')
    return isSignedByAdjust(secret, sender, parameters, clickId);
  const shown = sender.authorization.replace(/^Bearer\s+/i, '') || givenValue(parameters, 'token');
  return equalTexts(shown, secret);
}

const ALGORITHMS = ['sha1', 'sha256'] as const;

/**
 * Verifies a signature of Adjust, in one of two forms. The header `Authorization: Signature
 * signature="…",algorithm="sha256",headers="secret click_id …"` has the digest of the values that `headers` names,
 * concatenated, where the word `secret` stands for the secret. The parameter `signature` has the HMAC of all other
 * parameters, sorted by name, as `name=value` joined by `&`. The digest is hexadecimal. The signed values must include
 * the click, or the signature could be used for another one.
 */
function isSignedByAdjust(
  secret: string,
  { authorization, clickInAddress }: PostbackSender,
  parameters: PostbackParameters,
  clickId: string,
): boolean {
  if (clickId === '' && !clickInAddress) return false;
  if (/^Signature\s/i.test(authorization)) {
    const part = (name: string) =>
      new RegExp(`\\b${name}="([^"]{1,500})"`, 'i').exec(authorization)?.[1] ?? '';
    const algorithm = ALGORITHMS.find((known) => known === part('algorithm').toLowerCase());
    const names = part('headers').split(/\s+/);
    const namesClick =
      clickInAddress || names.some((name) => name !== 'secret' && parameters[name] === clickId);
    if (!algorithm || !names.includes('secret') || !namesClick) return false;
    const signed = names.map((name) => (name === 'secret' ? secret : (parameters[name] ?? ''))).join('');
    return equalTexts(part('signature').toLowerCase(), createHash(algorithm).update(signed).digest('hex'));
  }
  const actual = givenValue(parameters, 'signature').toLowerCase();
  if (actual === '') return false;
  const signed = Object.keys(parameters)
    .filter((name) => name !== 'signature')
    .sort()
    .map((name) => `${name}=${parameters[name]}`)
    .join('&');
  return ALGORITHMS.some((algorithm) =>
    equalTexts(actual, createHmac(algorithm, secret).update(signed).digest('hex')),
  );
}

/** Compares texts in constant time. */
function equalTexts(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return one !== '' && timingSafeEqual(digest(one), digest(other));
}
