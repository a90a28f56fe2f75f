import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';

/** INVISIBLE SEPARATOR, which Apple puts between signed fields. */
const SEPARATOR = '\u2063';

/** How an ad is shown: 0 in a view of the publisher's app, 1 rendered by StoreKit. */
export type Fidelity = 0 | 1;

/** What an ad is signed with. */
export interface SignedImpression {
  network: string;
  /** Four digits; older versions carry the last two. */
  sourceIdentifier: number;
  /** The advertised app's number in the store, and the publisher's app's. */
  itemId: string;
  sourceApp: string;
  nonce: string;
  timestampMs: number;
}

/** The first version whose ads have a fidelity, and nonces of their own for each. */
export function hasFidelities(version: SkadnetworkVersion): boolean {
  return version !== '2.0' && version !== '2.1';
}

/** The first version with source identifiers in place of campaigns. */
export function hasSourceIdentifier(version: SkadnetworkVersion): boolean {
  return version === '4.0';
}

/**
 * The text that is signed for an ad (Apple, "Signing and providing ads" of SKAdNetwork: generating the signature for versions 2, 2.2 and
 * 3, and 4). `fidelity` is left out up to 2.1.
 */
export function impressionText(
  version: SkadnetworkVersion,
  { network, sourceIdentifier, itemId, sourceApp, nonce, timestampMs }: SignedImpression,
  fidelity: Fidelity,
): string {
  const campaign = hasSourceIdentifier(version) ? sourceIdentifier : sourceIdentifier % 100;
  const fields: (string | number)[] = [
    version,
    network.toLowerCase(),
    campaign,
    itemId,
    nonce.toLowerCase(),
    sourceApp,
  ];
  if (hasFidelities(version)) fields.push(fidelity);
  fields.push(timestampMs);
  return fields.join(SEPARATOR);
}

/** The header and claims of an ad for AdAttributionKit (Apple, "Generating JWS impressions"), as they are signed. */
export function jwsSigningInput({
  network,
  sourceIdentifier,
  itemId,
  sourceApp,
  nonce,
  timestampMs,
}: SignedImpression): string {
  const claims = {
    'impression-identifier': nonce.toLowerCase(),
    'publisher-item-identifier': Number(sourceApp),
    'impression-type': 'app-impression',
    'ad-network-identifier': network.toLowerCase(),
    'source-identifier': sourceIdentifier,
    timestamp: timestampMs,
    'advertised-item-identifier': Number(itemId),
  };
  return `${encoded({ alg: 'ES256', kid: network.toLowerCase() })}.${encoded(claims)}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
