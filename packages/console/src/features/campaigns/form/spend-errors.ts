import type { Adset } from '@bidwell/contract/adsets/schema';
import type { App } from '@bidwell/contract/apps/schema';
import { type Flight, flightText, hasEnded, startsLater } from '@bidwell/contract/campaigns/flight';
import type { Creative } from '@bidwell/contract/creatives/schema';
import type { CreativeGroup } from '@bidwell/contract/creative-groups/schema';
import { startErrors } from '@bidwell/contract/campaigns/start-errors';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { creativesOf } from '../table/tree-rows.ts';

/** Inputs of {@link spendErrors}; an undefined one is still loading and causes no error. */
export interface SpendInputs {
  app: Pick<App, 'uuid' | 'name' | 'status' | 'approved_version' | 'advertiser_domain'> | undefined;
  adsets: readonly Pick<Adset, 'status' | 'creative_groups'>[];
  groups: readonly CreativeGroup[] | undefined;
  /** Dollars that may still be spent: the balance and the credit limit. */
  balance: number | undefined;
  /** The company's date and time, YYYY-MM-DD HH:MM. */
  now: string;
}

/** A reason why a campaign cannot spend. */
export interface SpendError {
  /** Where it can be removed. */
  about: 'app' | 'adsets' | 'creatives' | 'start' | 'end' | 'balance';
  text: string;
  /** True where nothing is missing but an operator's review. */
  isReview?: boolean;
}

/** Reasons why a campaign cannot spend today, one sentence each; empty without any known one. Pure. */
export function spendErrors(
  flight: Flight,
  { app, adsets, groups, balance, now }: SpendInputs,
): SpendError[] {
  const errors = app ? appErrors(app) : [];
  if (hasEnded(flight, now)) errors.push({ about: 'end', text: startErrors.ended });
  const active = adsets.filter(({ status }) => status === 'Active');
  if (adsets.length === 0) errors.push({ about: 'adsets', text: consoleMessages.noAdset });
  else if (active.length === 0) errors.push({ about: 'adsets', text: consoleMessages.adsetsPaused });
  else if (groups) errors.push(...groupErrors(app?.uuid, active, groups));
  const { start_date: start, start_time: time } = flight;
  if (start !== null && startsLater(flight, now))
    errors.push({ about: 'start', text: consoleMessages.startsOn(flightText(start, time)) });
  if (balance !== undefined && balance <= 0) errors.push({ about: 'balance', text: startErrors.balance });
  return errors;
}

function appErrors(app: NonNullable<SpendInputs['app']>): SpendError[] {
  const errors: SpendError[] = [];
  // An earlier approved version runs while the current one is in review or rejected.
  const status = app.approved_version ? 'Approved' : app.status;
  if (status === 'Moderation')
    errors.push({ about: 'app', text: consoleMessages.appInReview, isReview: true });
  if (status === 'Rejected') errors.push({ about: 'app', text: consoleMessages.appRejected });
  if (app.advertiser_domain === null) errors.push({ about: 'app', text: startErrors.domain(app.name) });
  return errors;
}

function groupErrors(
  appUuid: string | undefined,
  adsets: SpendInputs['adsets'],
  groups: readonly CreativeGroup[],
): SpendError[] {
  const usedUuids = new Set(adsets.flatMap(({ creative_groups }) => creative_groups.map(({ uuid }) => uuid)));
  const used = groups.filter(({ uuid }) => usedUuids.has(uuid));
  const ofApp = (group: CreativeGroup) =>
    creativesOf(group).filter(({ app }) => appUuid === undefined || app.uuid === appUuid);
  const usable = used.filter((group) => ofApp(group).some(isApproved));
  if (usable.length > 0) {
    const isPaused = usable.every(({ status }) => status === 'Paused');
    return isPaused ? [{ about: 'creatives', text: consoleMessages.groupsPaused }] : [];
  }
  const inReview = new Set(
    used.flatMap((group) =>
      ofApp(group).flatMap(({ uuid, status }) => (status === 'Moderation' ? [uuid] : [])),
    ),
  );
  return inReview.size > 0
    ? [{ about: 'creatives', text: consoleMessages.creativesInReview(inReview.size), isReview: true }]
    : [{ about: 'creatives', text: consoleMessages.noApprovedCreative }];
}

const isApproved = ({ status, approved_version: approved }: Creative) =>
  status === 'Approved' || approved !== null;
