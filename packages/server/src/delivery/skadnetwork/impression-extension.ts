import { type KeyObject, randomUUID } from 'node:crypto';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import { signJws, signText } from './signing-keys.ts';
import type { SkOverlay } from '@bidwell/contract/adsets/app-store';
import type { CompiledAdset } from '../model/candidate.ts';
import type { ParsedImp } from '../model/bid-request.ts';

/**
 * The key of AdAttributionKit's object in `imp.ext` and `bid.ext`. The IAB Tech Lab's extension is a draft, of which an earlier version
 * had another key.
 */
export const ADATTRIBUTIONKIT_KEY = 'adattributionkit';
/** The version of AdAttributionKit's object. */
export const ADATTRIBUTIONKIT_VERSION = '1.0';

/** The impression for which a bid is signed. */
export interface SigningTask {
  network: string;
  /** The version of SKAdNetwork; null where the bid is signed for AdAttributionKit only. */
  version: SkadnetworkVersion | null;
  /** The publisher's app for each framework; '' where it is not signed for it. Digits only, like the advertised app's number. */
  sourceApp: string;
  aakSourceApp: string;
  sourceIdentifier: number;
  itemId: string;
  /** Whether the impression is eligible for re-engagement by AdAttributionKit. */
  reEngages: boolean;
  storeView: StoreView;
}

/**
 * The members of a bid's `ext` as JSON, without braces: `skadn` (IAB Tech Lab, "SKAdNetwork Support") with both fidelities, or with one
 * signature up to version 2.1, and {@link ADATTRIBUTIONKIT_KEY}. Each signature has a nonce of its own.
 */
export function impressionExtension(task: SigningTask, key: KeyObject, nowMs: number): string {
  const parts: string[] = [];
  if (task.version !== null)
    parts.push(
      `"skadn":${withMembers(skadnOf({ ...task, version: task.version }, key, nowMs), task.storeView.skadn)}`,
    );
  if (task.aakSourceApp !== '') {
    const impression = impressionOf({ ...task, sourceApp: task.aakSourceApp }, nowMs);
    const jwt = signJws(jwsSigningInput(impression), key);
    const object = { jwt, version: ADATTRIBUTIONKIT_VERSION, itunesitem: task.itemId };
    parts.push(`"${ADATTRIBUTIONKIT_KEY}":${withMembers(object, task.storeView.adAttributionKit)}`);
  }
  return parts.join();
}

/** An object as JSON with more members, which are JSON without braces. */
function withMembers(object: object, members: string): string {
  const json = JSON.stringify(object);
  return members === '' ? json : `${json.slice(0, -1)},${members}}`;
}

function skadnOf(
  task: SigningTask & { version: SkadnetworkVersion },
  key: KeyObject,
  nowMs: number,
): Record<string, unknown> {
  const { version, network, sourceIdentifier, itemId, sourceApp } = task;
  const signed = (fidelity: Fidelity) => {
    const impression = impressionOf(task, nowMs);
    return {
      nonce: impression.nonce,
      timestamp: String(nowMs),
      signature: signText(impressionText(version, impression, fidelity), key),
    };
  };
  return {
    version,
    network,
    ...(hasSourceIdentifier(version)
      ? { sourceidentifier: String(sourceIdentifier) }
      : { campaign: String(sourceIdentifier % 100) }),
    itunesitem: itemId,
    sourceapp: sourceApp,
    ...(hasFidelities(version)
      ? { fidelities: ([0, 1] as const).map((fidelity) => ({ fidelity, ...signed(fidelity) })) }
      : signed(1)),
  };
}

function impressionOf(
  { network, sourceIdentifier, itemId, sourceApp, reEngages }: SigningTask,
  timestampMs: number,
): SignedImpression {
  return { network, sourceIdentifier, itemId, sourceApp, reEngages, nonce: randomUUID(), timestampMs };
}

/** INVISIBLE SEPARATOR, which Apple puts between signed fields. */
const SEPARATOR = '\u2063';

/** How an ad is shown: 0 in a view of the publisher's app, 1 rendered by StoreKit. */
export type Fidelity = 0 | 1;

/** The signed values of an ad. */
interface SignedImpression {
  network: string;
  /** Four digits; older versions carry the last two. */
  sourceIdentifier: number;
  /** The advertised app's number in the store, and the publisher's app's. */
  itemId: string;
  sourceApp: string;
  /** Only AdAttributionKit signs it. */
  reEngages?: boolean;
  nonce: string;
  timestampMs: number;
}

/** The first version whose ads have a fidelity, and nonces of their own for each. */
function hasFidelities(version: SkadnetworkVersion): boolean {
  return version !== '2.0' && version !== '2.1';
}

/** The first version with source identifiers in place of campaigns. */
function hasSourceIdentifier(version: SkadnetworkVersion): boolean {
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
  reEngages = false,
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
    ...(reEngages && { 'eligible-for-re-engagement': true }),
  };
  return `${encoded({ alg: 'ES256', kid: network.toLowerCase() })}.${encoded(claims)}`;
}

function encoded(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

/** Further members of a bid's objects, as JSON without braces; '' for none. */
interface StoreView {
  skadn: string;
  adAttributionKit: string;
}

const NONE: StoreView = { skadn: '', adAttributionKit: '' };
/** How both extensions write where an overlay is shown. */
const POSITIONS: Readonly<Record<SkOverlay['position'], 0 | 1>> = { bottom: 0, raised: 1 };

/**
 * The App Store fields of a signed bid: the ad set's custom product page and SKOverlay, each only where the publisher's app can show
 * it, and the link of a re-engagement. The draft for AdAttributionKit has no parameter with which a request allows a product page, so
 * every bid may have one. These fields are not signed.
 */
export function storeViewOf(
  { skadnetwork, adAttributionKit }: Pick<ParsedImp, 'skadnetwork' | 'adAttributionKit'>,
  { productPageId, overlay }: Pick<CompiledAdset, 'productPageId' | 'overlay'>,
  reEngagementUrl: string | null,
): StoreView {
  if (productPageId === null && overlay === null && reEngagementUrl === null) return NONE;
  return {
    skadn: membersOf({
      productpageid: skadnetwork?.hasProductPages ? productPageId : null,
      skoverlay: overlay && skadnetwork?.hasOverlay ? skadnOverlay(overlay) : null,
    }),
    adAttributionKit: membersOf({
      cpp: adAttributionKit && productPageId,
      reengagementurl: adAttributionKit && reEngagementUrl,
      ext: overlay && adAttributionKit?.hasOverlay ? { skoverlay: kitOverlay(overlay) } : null,
    }),
  };
}

/** `skoverlay` of `bid.ext.skadn`: without a delay it is not shown there. */
const skadnOverlay = ({ delay, end_card_delay: endCardDelay, dismissible, position }: SkOverlay) => ({
  delay: delay ?? undefined,
  endcarddelay: endCardDelay ?? undefined,
  dismissible: dismissible ? 1 : 0,
  pos: POSITIONS[position],
});

/** `ext.skoverlay` of AdAttributionKit's object. */
const kitOverlay = ({ delay, end_card_delay: endCardDelay, dismissible, position }: SkOverlay) => ({
  show: 1,
  delay: delay ?? undefined,
  companion_delay: endCardDelay ?? undefined,
  pos: POSITIONS[position],
  dismissible: dismissible ? 1 : 0,
});

function membersOf(members: Readonly<Record<string, unknown>>): string {
  const own = Object.entries(members).filter(([, value]) => value !== null);
  return own.length === 0 ? '' : JSON.stringify(Object.fromEntries(own)).slice(1, -1);
}
