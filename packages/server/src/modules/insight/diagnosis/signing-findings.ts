import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';
import type { Finding, FindingCode } from '@bidwell/contract/insight/finding';
import type { CampaignFacts, ExchangeSigning } from './facts.ts';
import { remedy } from './blockers.ts';
import { percent, quoted } from './numbers.ts';

type App = CampaignFacts['app'];

/** Exchanges that are named; a sentence says how many others there are. */
const NAMED_MAX = 5;
/** Requests from which shares of an exchange say something, and the share of unsigned ones that is worth a sentence. */
const REQUESTS_MIN = 100;
const UNSIGNED_SHARE_MIN = 0.05;

const reasons: readonly (readonly [Exclude<SkadnetworkOutcome, 'signable'>, string])[] = [
  ['no_object', 'have no SKAdNetwork'],
  ['not_listed', 'are of apps whose list lacks our ad network'],
  ['too_old', 'offer only versions that we do not sign, or have an iOS that is too old'],
  ['no_source_app', 'do not name the publisher’s app in the App Store'],
];

/**
 * Where bids of an iOS app are not signed for SKAdNetwork and AdAttributionKit, so that Apple reports no installs of them: the ads are
 * bought all the same. Pure.
 */
export function signingFindings({ app, signing }: CampaignFacts): Finding[] {
  if (!signing) return [];
  const { hasNetwork, isAppOn, exchanges } = signing;
  if (!hasNetwork)
    return [
      finding(
        app,
        'signing_off',
        `Bids for ${quoted(app.name)} are not signed for SKAdNetwork, because this installation has no ad network with a private key, so Apple reports no installs of them. An operator of this installation can add one.`,
      ),
    ];
  if (!isAppOn)
    return [
      finding(
        app,
        'signing_off',
        `Bids for ${quoted(app.name)} are not signed for SKAdNetwork, so Apple reports no installs of them. An operator of this installation can switch it on for the app.`,
      ),
    ];
  const off = exchanges.filter(({ isOn }) => !isOn);
  const on = exchanges.filter(({ isOn }) => isOn);
  return [...(off.length > 0 ? [exchangesOff(app, off)] : []), ...unsignedOf(app, on)];
}

function exchangesOff(app: App, exchanges: readonly ExchangeSigning[]): Finding {
  const names = exchanges.slice(0, NAMED_MAX).map(({ name }) => name);
  const others = exchanges.length - names.length;
  const list = names.join(', ') + (others > 0 ? ` and ${others} more` : '');
  return finding(
    app,
    'signing_off',
    `Bids with ${list} are not signed for SKAdNetwork, so Apple reports no installs of them. An operator of this installation can switch it on for an exchange.`,
  );
}

/** One finding for each exchange of which a share of the requests cannot be signed, the largest number of requests first. */
function unsignedOf(app: App, exchanges: readonly ExchangeSigning[]): Finding[] {
  return exchanges
    .map(({ name, outcomes }) => {
      const all = Object.values(outcomes).reduce((sum, requests) => sum + requests, 0);
      return { name, outcomes, all, unsigned: all - (outcomes.signable ?? 0) };
    })
    .filter(({ all, unsigned }) => all >= REQUESTS_MIN && unsigned / all >= UNSIGNED_SHARE_MIN)
    .toSorted((a, b) => b.unsigned - a.unsigned)
    .slice(0, NAMED_MAX)
    .map(({ name, outcomes, all }) => {
      const parts = reasons
        .map(([outcome, text]) => ({ text, requests: outcomes[outcome] ?? 0 }))
        .filter(({ requests }) => requests > 0)
        .toSorted((a, b) => b.requests - a.requests)
        .map(({ text, requests }) => `${percent(requests, all)} ${text}`);
      return finding(
        app,
        'signing_not_possible',
        `Of the requests of iOS apps from ${name} in the last 7 days, ${parts.join(', ')}. Bids on them are not signed, and Apple reports no installs of them.`,
      );
    });
}

function finding({ uuid }: App, code: FindingCode, text: string): Finding {
  const action = remedy('Open the app', 'app', uuid);
  return { code, severity: 'advice', adset: null, text, lost: null, remedy: action };
}
