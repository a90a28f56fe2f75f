import { type KeyObject, randomUUID } from 'node:crypto';
import type { SkadnetworkVersion } from '@bidwell/contract/skadnetwork/versions';
import {
  type Fidelity,
  type SignedImpression,
  hasFidelities,
  hasSourceIdentifier,
  impressionText,
  jwsSigningInput,
} from './impression.ts';
import { signJws, signText } from './signing.ts';
import type { StoreView } from './store-view.ts';

/**
 * The key of AdAttributionKit's object in `imp.ext` and `bid.ext`. The IAB Tech Lab's extension is a draft, of which an earlier version
 * had another key.
 */
export const ADATTRIBUTIONKIT_KEY = 'adattributionkit';
/** The version of AdAttributionKit's object. */
export const ADATTRIBUTIONKIT_VERSION = '1.0';

/** What a bid is to be signed for. */
export interface SigningTask {
  network: string;
  /** Of SKAdNetwork; null where it is signed for AdAttributionKit only. */
  version: SkadnetworkVersion | null;
  /** The publisher's app for each framework; '' where it is not signed for it. Digits only, like the advertised app's number. */
  sourceApp: string;
  aakSourceApp: string;
  sourceIdentifier: number;
  itemId: string;
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
  { network, sourceIdentifier, itemId, sourceApp }: SigningTask,
  timestampMs: number,
): SignedImpression {
  return { network, sourceIdentifier, itemId, sourceApp, nonce: randomUUID(), timestampMs };
}
