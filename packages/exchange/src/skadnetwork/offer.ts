import type { BidRequest } from '../traffic/bid-request.ts';

/** The ad networks that a publisher's iOS app lists; null if its SDK does not say. */
export type NetworksOf = (bundle: string) => readonly string[] | null;

/** The versions that publishers' SDKs offer; devices use the ones that their iOS has. */
const VERSIONS = ['2.0', '2.1', '2.2', '3.0', '4.0'];

/** A request with `imp.ext.skadn` (IAB Tech Lab, "SKAdNetwork Support") where it is of an iOS app whose SDK sends it. Pure. */
export function offeringSkadnetwork(request: BidRequest, networksOf: NetworksOf): BidRequest {
  const { bundle } = request.app;
  const skadnetids = request.device.os === 'iOS' ? networksOf(bundle) : null;
  if (!skadnetids) return request;
  const skadn = { versions: VERSIONS, sourceapp: bundle, skadnetids };
  return { ...request, imp: request.imp.map((imp) => ({ ...imp, ext: { skadn } })) };
}
