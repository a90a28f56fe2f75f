import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import type { Finding } from '@bidwell/contract/insight/finding';
import { dayText } from '@bidwell/contract/lib/calendar';
import { goalNotices } from '@bidwell/contract/text/goal-messages';
import { remedy } from './blockers.ts';
import type { AdsetFacts, CampaignFacts } from './facts.ts';
import { dollars, inDigits, quoted } from './numbers.ts';

/** Installs after which some of the people should have reached the goal. */
const GOAL_INSTALLS_MIN = 20;

/**
 * Goals of value of which nothing is reported, so that nothing can be learned and the ad set bids by an assumed value. Advice while
 * there are too few installs to expect an event, and `limited` after them. Pure.
 */
export function goalFindings(facts: CampaignFacts): Finding[] {
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
