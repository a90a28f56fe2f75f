import type { NetworkExchange } from '@bidwell/contract/skadnetwork/schema';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import { formatPercent } from '../../lib/format/format.ts';

const reasons: Record<Exclude<SkadnetworkOutcome, 'signable'>, string> = {
  no_object: 'do not say what the app supports',
  not_listed: 'are of apps that do not list the network',
  too_old: 'offer no version that the device has and we sign',
  no_source_app: 'do not name the app in the store',
};

/** The share of an exchange's requests of iOS apps that could be signed, in percent; null if none were counted. */
export function signablePercent({ requests, outcomes }: NetworkExchange): number | null {
  if (requests === 0) return null;
  const signable = outcomes.find(({ outcome }) => outcome === 'signable')?.requests ?? 0;
  return (100 * signable) / requests;
}

/** Why the other requests could not be signed, the most frequent reason first; '' where all could. */
export function unsignedReasons({ requests, outcomes }: NetworkExchange): string {
  return outcomes
    .toSorted((a, b) => b.requests - a.requests)
    .flatMap(({ outcome, requests: count }) =>
      outcome === 'signable' || count === 0
        ? []
        : [`${formatPercent((100 * count) / requests)} ${reasons[outcome]}`],
    )
    .join(', ');
}
