import type { Adset } from '@bidwell/contract/adset';
import type { App } from '@bidwell/contract/app';
import type { Campaign } from '@bidwell/contract/campaign';
import type { CreativeGroup } from '@bidwell/contract/creative-group';
import { consoleMessages, startErrors } from '@bidwell/contract/messages';
import { formatDay } from '../../lib/format.ts';
import { creativesOf } from './tree-rows.ts';

/** Inputs of {@link spendErrors}; an undefined one is still loading and causes no error. */
export interface SpendInputs {
  app: Pick<App, 'uuid' | 'status' | 'approved_version'> | undefined;
  adsets: readonly Pick<Adset, 'status' | 'creative_groups'>[];
  groups: readonly CreativeGroup[] | undefined;
  /** Dollars. */
  balance: number | undefined;
  /** YYYY-MM-DD. */
  today: string;
}

/** Reasons why a campaign cannot spend today, one sentence each; empty without any known one. Pure. */
export function spendErrors(
  { start_date: start, end_date: end }: Pick<Campaign, 'start_date' | 'end_date'>,
  { app, adsets, groups, balance, today }: SpendInputs,
): string[] {
  const errors: string[] = [];
  // An earlier approved version runs while the current one is in review or rejected.
  const appStatus = app?.approved_version ? 'Approved' : app?.status;
  if (appStatus === 'Moderation') errors.push(startErrors.app);
  if (appStatus === 'Rejected') errors.push(consoleMessages.appRejected);
  const active = adsets.filter(({ status }) => status === 'Active');
  if (adsets.length === 0) errors.push(consoleMessages.noAdset);
  else if (active.length === 0) errors.push(consoleMessages.adsetsPaused);
  else if (groups) {
    const error = groupError(app?.uuid, active, groups);
    if (error) errors.push(error);
  }
  if (start && start > today) errors.push(consoleMessages.startsOn(formatDay(start)));
  if (end && end < today) errors.push(startErrors.ended);
  if (balance !== undefined && balance <= 0) errors.push(startErrors.balance);
  return errors;
}

function groupError(
  appUuid: string | undefined,
  adsets: SpendInputs['adsets'],
  groups: readonly CreativeGroup[],
): string | undefined {
  const used = new Set(adsets.flatMap(({ creative_groups }) => creative_groups.map(({ uuid }) => uuid)));
  const holdsApproved = (group: CreativeGroup) =>
    creativesOf(group).some(
      ({ status, approved_version: approved, app }) =>
        (status === 'Approved' || approved !== null) && (appUuid === undefined || app.uuid === appUuid),
    );
  const usable = groups.filter((group) => used.has(group.uuid) && holdsApproved(group));
  if (usable.length === 0) return consoleMessages.noApprovedCreative;
  return usable.every(({ status }) => status === 'Paused') ? consoleMessages.groupsPaused : undefined;
}
