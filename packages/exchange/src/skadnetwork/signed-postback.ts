import { type KeyObject, sign } from 'node:crypto';
import type { ScheduledPostback } from './scheduled-postbacks.ts';

/** U+2063, between the fields that are signed. */
const SEPARATOR = '\u2063';
/** The key id of Apple's production key, which the simulated device's key replaces. */
const KEY_ID = 'apple-cas-identifier/0';

/** The JSON that a device sends, signed with a P-256 key in place of Apple's. */
export function signedPostback(postback: ScheduledPostback, key: KeyObject): Record<string, unknown> {
  return postback.ad.framework === 'skadnetwork'
    ? skadnetworkPostback(postback, key)
    : adAttributionKitPostback(postback, key);
}

/** Fields without the absent ones. */
function given(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  );
}

function skadnetworkPostback(
  { ad, digits, transactionId, window, ...postback }: ScheduledPostback,
  key: KeyObject,
): Record<string, unknown> {
  const isOld = ad.version === '3.0';
  // In the order in which they are signed.
  const signed = given({
    version: ad.version,
    'ad-network-id': ad.networkId,
    'campaign-id': isOld ? Number(digits) : null,
    'source-identifier': isOld ? null : digits,
    'app-id': ad.itemId,
    'transaction-id': transactionId,
    redownload: postback.isRedownload,
    'source-app-id': postback.sourceAppId,
    'fidelity-type': ad.fidelity,
    'did-win': postback.didWin,
    'postback-sequence-index': isOld ? null : window,
  });
  const text = Object.values(signed).map(String).join(SEPARATOR);
  return {
    ...signed,
    ...valuesOf(postback),
    'attribution-signature': sign('sha256', Buffer.from(text), key).toString('base64'),
  };
}

function adAttributionKitPostback(
  { ad, digits, transactionId, window, ...postback }: ScheduledPostback,
  key: KeyObject,
): Record<string, unknown> {
  const claims = given({
    'postback-identifier': transactionId,
    'ad-network-identifier': ad.networkId,
    'impression-type': 'app-impression',
    'source-identifier': digits,
    'advertised-item-identifier': ad.itemId,
    'publisher-item-identifier': postback.sourceAppId,
    'marketplace-identifier': 'com.apple.AppStore',
    'conversion-type': postback.isRedownload ? 'redownload' : 'download',
    'did-win': postback.didWin,
    'postback-sequence-index': window,
  });
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ kid: KEY_ID, alg: 'ES256' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return {
    'jws-string': `${text}.${signature.toString('base64url')}`,
    'ad-interaction-type': ad.fidelity === 1 ? 'click' : 'view',
    ...valuesOf(postback),
  };
}

function valuesOf({
  fineValue,
  coarseValue,
  country,
}: Pick<ScheduledPostback, 'fineValue' | 'coarseValue' | 'country'>): Record<string, unknown> {
  return given({
    'conversion-value': fineValue,
    'coarse-conversion-value': coarseValue,
    'country-code': country,
  });
}
