import {
  AD_SETS_PER_COMPANY,
  AD_SETS_PER_ITEM,
  SOURCE_IDENTIFIER_DAYS,
} from '@bidwell/contract/skadnetwork/source-identifiers';
import { dayText } from '@bidwell/contract/lib/calendar';
import type { Finding, FindingCode } from '@bidwell/contract/insight/finding';
import { isLearning as isGoalLearning, learnedOf } from '@bidwell/contract/text/learning-text';
import { exitWords } from '@bidwell/contract/text/no-bid-reasons';
import { adsetBlockers, campaignBlockers, remedy } from './blockers.ts';
import { budgetUse } from './budget-use.ts';
import {
  type AdsetFacts,
  type CampaignFacts,
  LEARNED_DAYS,
  type Loss,
  type ExchangeSigning,
} from './facts.ts';
import { lossesOf } from './losses.ts';
import { inDigits, quoted, dollars, percent } from './finding-words.ts';
import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import { goalNotices } from '@bidwell/contract/text/goal-messages';
import type { SkadnetworkOutcome } from '@bidwell/contract/skadnetwork/outcomes';

const CLICKS_MIN = 20;
/** Installs after which rates are known well enough. */
const LEARNED_INSTALLS = 30;

/**
 * Why a campaign spends less than it could in the viewed range, the cause that costs the most first. Uses known
 * data only, and says where a range has none. Never empty. Pure.
 */
export function diagnose(facts: CampaignFacts): Finding[] {
  const blockers = campaignBlockers(facts);
  const active = facts.adsets.filter(({ isActive }) => isActive);
  const blockedAdsets = active.flatMap(adsetBlockers);
  const running = runningOf(facts);
  const losses = lossesOfAll(running);
  const measured = measurementFindings(facts);
  const limited = losses.map(({ finding }) => finding);
  const causes = [...measured, ...limited];
  const goals = goalFindings(facts).filter(({ severity }) => severity === 'advice');
  const use = useOf(facts, blockedAdsets.length + causes.length + goals.length > 0);
  const found = [...blockers, ...blockedAdsets, ...(use ? [use] : []), ...causes];
  const advice = [...goals, ...adviceOf(running)];
  const signing = signingFindings(facts);
  if (found.length > 0) return [...found, ...advice, ...signing];
  if (!active.some(({ delivery }) => delivery.seen.value > 0))
    return [noRequests(facts), ...goals, ...signing];
  return [noFittingRequests(facts.app.name, active), ...goals, ...signing];
}

/** How much of its budget a campaign uses; null while it cannot buy anything, or no request was for it. */
function useOf(facts: CampaignFacts, hasCauses: boolean): Finding | null {
  const active = facts.adsets.filter(({ isActive }) => isActive);
  const running = runningOf(facts);
  if (campaignBlockers(facts).length > 0 || running.length === 0) return null;
  if (!active.some(({ delivery }) => delivery.seen.value > 0)) return null;
  return hasCauses || active.some(isReached) ? budgetUse(facts, active, hasCauses) : null;
}

/** Codes of causes that hold for all campaigns of a company. */
const COMPANY_CODES: readonly FindingCode[] = ['suspended', 'balance', 'bidding_stopped', 'exchange_off'];

/** A finding about a campaign; if `campaign` is null, about the company or several campaigns. */
export interface RankedCause {
  campaign: string | null;
  finding: Finding;
}

/**
 * Ranks the causes that {@link diagnose} finds over all campaigns: first causes that block all, then causes that block a
 * campaign or an ad set, then causes that keep installs from being counted, then lost requests by the number of lost bids,
 * then budgets that stay unused for no other cause, and last causes that keep bids from being signed. Pure.
 */
export function rankFindings(all: readonly CampaignFacts[]): RankedCause[] {
  const ofEach = (causesOf: (facts: CampaignFacts) => readonly Finding[]) =>
    all.flatMap((facts) =>
      causesOf(facts).map((finding): RankedCause => ({ campaign: facts.uuid, finding })),
    );
  const blockers = ofEach(campaignBlockers);
  const isCommon = ({ finding }: RankedCause) => COMPANY_CODES.includes(finding.code);
  const common = new Map(blockers.filter(isCommon).map(({ finding }) => [finding.code, finding]));
  const losses = all
    .flatMap((facts) => lossesOfAll(runningOf(facts)).map((loss) => ({ ...loss, campaign: facts.uuid })))
    .toSorted((a, b) => b.bids - a.bids);
  return [
    ...[...common.values()].map((finding) => ({ campaign: null, finding })),
    ...blockers.filter((cause) => !isCommon(cause)),
    ...ofEach(({ adsets }) => adsets.filter(({ isActive }) => isActive).flatMap(adsetBlockers)),
    ...ofEach(measurementFindings),
    ...losses.map(({ campaign, finding }) => ({ campaign, finding })),
    ...ofEach(unexplainedUse),
    ...once(ofEach(unsignedFindings)),
  ];
}

/** A budget that is not used, of a campaign for which no other cause is found. */
function unexplainedUse(facts: CampaignFacts): Finding[] {
  return diagnose(facts)
    .filter(({ severity }) => severity === 'limited' || severity === 'blocked')
    .filter(({ code }, _, { length }) => length === 1 && code === 'budget_use');
}

/** The causes that keep bids from being signed for SKAdNetwork. They lose no requests. */
function unsignedFindings(facts: CampaignFacts): Finding[] {
  const unnumbered = runningOf(facts).filter(({ lacksSourceIdentifier }) => lacksSourceIdentifier);
  return [...signingFindings(facts), ...unnumbered.map(numberAdvice)];
}

/** Each sentence once. `campaign` is null if several campaigns have it, such as the campaigns of an app. */
function once(causes: readonly RankedCause[]): RankedCause[] {
  const byText = new Map<string, RankedCause>();
  for (const cause of causes) {
    const { text } = cause.finding;
    byText.set(text, byText.has(text) ? { ...cause, campaign: null } : cause);
  }
  return [...byText.values()];
}

/** The ad sets that lose requests, the one that loses the most bids first: their market explains the losses. Pure. */
export function losingAdsets(facts: CampaignFacts): string[] {
  return [...new Set(lossesOfAll(runningOf(facts)).map(({ finding }) => finding.adset!.uuid))];
}

function runningOf({ adsets }: CampaignFacts): AdsetFacts[] {
  return adsets.filter((adset) => adset.isActive && adsetBlockers(adset).length === 0);
}

function lossesOfAll(running: readonly AdsetFacts[]): Loss[] {
  return running.flatMap(lossesOf).toSorted((a, b) => b.bids - a.bids);
}

/** Installs that cannot be counted cost nothing at first, but the prices of installs cannot be learned without them. */
function measurementFindings(facts: CampaignFacts): Finding[] {
  const { adsets, postbacks } = facts;
  const clicks = adsets.reduce((sum, { delivery }) => sum + delivery.clicks, 0);
  const installs = adsets.reduce((sum, { delivery }) => sum + delivery.installs, 0);
  const base = { severity: 'limited', adset: null, lost: null } as const;
  const action = remedy('Open the postbacks', 'postbacks', null);
  if (postbacks.rejected > postbacks.received)
    return [
      {
        ...base,
        code: 'postbacks_refused',
        text: `${inDigits(postbacks.rejected)} postbacks of the measurement partner were refused, because their secret or signature is wrong: installs are not counted.`,
        remedy: action,
      },
    ];
  if (clicks >= CLICKS_MIN && installs === 0 && postbacks.received + postbacks.rejected === 0)
    return [
      {
        ...base,
        code: 'postbacks_missing',
        text: `After ${inDigits(clicks)} clicks the measurement partner has sent no postback: installs are not counted.`,
        remedy: action,
      },
    ];
  return goalFindings(facts).filter(({ severity }) => severity === 'limited');
}

function adviceOf(adsets: readonly AdsetFacts[]): Finding[] {
  const unnumbered = adsets.filter(({ lacksSourceIdentifier }) => lacksSourceIdentifier);
  return [...unnumbered.map(numberAdvice), ...adsets.filter(isLearning).map(learningAdvice)];
}

/** Ads are bought all the same, but Apple's postbacks cannot name the ad set. */
function numberAdvice({ uuid, name, appUuid }: AdsetFacts): Finding {
  return {
    code: 'source_identifiers_used_up',
    severity: 'advice',
    adset: { uuid, name },
    text: `${quoted(name)} has no number for SKAdNetwork, because those for ${AD_SETS_PER_ITEM} ad sets of its app, ${AD_SETS_PER_COMPANY} of one company, are used up: its bids are not signed, and Apple reports no installs of it. A number is free ${SOURCE_IDENTIFIER_DAYS} days after the last bid of an ad set that does not run.`,
    lost: null,
    remedy: remedy('Open the app', 'app', appUuid),
  };
}

function learningAdvice(adset: AdsetFacts): Finding {
  const { uuid, name } = adset;
  return {
    code: 'learning',
    severity: 'advice',
    adset: { uuid, name },
    text: `${quoted(name)} is learning: ${learnedText(adset)}. Its bids change until then.`,
    lost: null,
    remedy: null,
  };
}

function isLearning({ algorithm, knownInstalls, delivery: { learning } }: AdsetFacts): boolean {
  if (learning) return isGoalLearning(learning);
  return algorithm !== 'Manual CPM' && knownInstalls < LEARNED_INSTALLS;
}

function learnedText({ knownInstalls, delivery: { learning } }: AdsetFacts): string {
  if (!learning) return `${knownInstalls} of about ${LEARNED_INSTALLS} installs in ${LEARNED_DAYS} days`;
  return learnedOf(learning);
}

function noRequests({ range, adsets }: CampaignFacts): Finding {
  const [first, last] = [dayText(range.start), dayText(range.end)];
  const days = first === last ? first : `${first} to ${last}`;
  const hasEvents = adsets.some(({ delivery }) => delivery.impressions > 0);
  return {
    code: 'no_requests',
    severity: 'limited',
    adset: null,
    text: hasEvents
      ? `There is no record of bid requests for ${days}: they are stored for 90 days.`
      : `There is no data for ${days}: no bid request was counted while the campaign could bid.`,
    lost: null,
    remedy: null,
  };
}

/** Whether a request got as far as a bid, or something was shown. */
function isReached({ delivery: { steps, bids, impressions } }: AdsetFacts): boolean {
  return bids > 0 || impressions > 0 || steps.at(-1)!.requests.value > 0;
}

/** All requests left the funnel for reasons that no change of the campaign removes. */
function noFittingRequests(app: string, adsets: readonly AdsetFacts[]): Finding {
  const [{ delivery }] = adsets as [AdsetFacts];
  const exits = delivery.steps.flatMap((step) => step.exits);
  const [most] = exits.toSorted((a, b) => b.requests.value - a.requests.value);
  const seen = inDigits(delivery.seen.value);
  return {
    code: 'no_requests',
    severity: 'limited',
    adset: null,
    text:
      most?.exit === 'os'
        ? `None of about ${seen} bid requests came from a device with the system of ${quoted(app)}.`
        : `None of about ${seen} bid requests could be bid on (${most ? exitWords(most.exit) : 'unknown'}).`,
    lost: null,
    remedy: null,
  };
}

/** Installs after which some of the people should have reached the goal. */
const GOAL_INSTALLS_MIN = 20;

/**
 * Goals of value of which nothing is reported, so that nothing can be learned and the ad set bids by an assumed value. Advice while
 * there are too few installs to expect an event, and `limited` after them. Pure.
 */
function goalFindings(facts: CampaignFacts): Finding[] {
  return facts.adsets
    .filter(({ isActive, missingGoal }) => isActive && missingGoal === null)
    .flatMap((adset) => {
      const { uuid, name, delivery } = adset;
      const { installs, learning } = delivery;
      if (!learning || learning.conversions > 0) return [];
      const isExpected = installs >= GOAL_INSTALLS_MIN;
      if (adset.hasGoalArrived && !isExpected) return [];
      return {
        code: 'goal_missing',
        severity: isExpected ? 'limited' : 'advice',
        adset: { uuid, name },
        text: adset.hasGoalArrived ? lateText(adset) : neverText(adset, facts),
        lost: null,
        remedy: remedy('Open Measurement', 'measurement', facts.uuid),
      };
    });
}

function lateText({ name, goalEvent, delivery: { installs, learning } }: AdsetFacts): string {
  const basis = learning?.expected_error_percent == null ? 'an assumed value' : 'what came before';
  const what = goalEvent === null ? 'revenue in dollars' : `the event ${quoted(goalEvent)}`;
  return `No postback with ${what} came for ${quoted(name)} in the last 7 days, after ${inDigits(installs)} installs: it bids by ${basis}.`;
}

function neverText(adset: AdsetFacts, { app }: CampaignFacts): string {
  const { name, goalEvent, algorithm: algo, betCpm, betCpi, cpa } = adset;
  const assumed = assumedInstallPrice({ algo, bet_cpm: betCpm, bet_cpi: betCpi, cpa }) ?? 0;
  const meanwhile = goalNotices.meanwhile(quoted(name), dollars(assumed));
  if (goalEvent !== null && adset.hasAllEventNames)
    return `${goalNotices.notCounted(goalEvent, quoted(app.name))} ${meanwhile}`;
  const since = dayText(app.addedOn);
  return [
    goalNotices.neverArrived({ event: goalEvent, app: quoted(app.name), since }),
    meanwhile,
    goalNotices.check(goalEvent, app.partner),
  ].join(' ');
}

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
function signingFindings({ app, signing }: CampaignFacts): Finding[] {
  if (!signing) return [];
  const { hasNetwork, isAppOn, exchanges } = signing;
  if (!hasNetwork)
    return [
      signingFinding(
        app,
        'signing_off',
        `Bids for ${quoted(app.name)} are not signed for SKAdNetwork, because this installation has no ad network with a private key, so Apple reports no installs of them. An operator of this installation can add one.`,
      ),
    ];
  if (!isAppOn)
    return [
      signingFinding(
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
  return signingFinding(
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
      return signingFinding(
        app,
        'signing_not_possible',
        `Of the requests of iOS apps from ${name} in the last 7 days, ${parts.join(', ')}. Bids on them are not signed, and Apple reports no installs of them.`,
      );
    });
}

function signingFinding({ uuid }: App, code: FindingCode, text: string): Finding {
  const action = remedy('Open the app', 'app', uuid);
  return { code, severity: 'advice', adset: null, text, lost: null, remedy: action };
}
