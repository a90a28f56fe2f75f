import { type AlertRule, ruleText } from '@bidwell/contract/alerts/rules';
import { dayText } from '@bidwell/contract/lib/calendar';
import { notificationMessages } from '@bidwell/contract/text/messages';
import type { Context } from '../../../context.ts';
import { isDatabaseUnavailable } from '../../../platform/database-unavailable.ts';
import { transact } from '../../../platform/postgres/transaction.ts';
import { notify } from '../../messaging/public.ts';
import { daysOf, nextCheckAt } from './check-times.ts';
import { type RuleFigure, evaluateRule, figureSentence } from './evaluate.ts';
import { readFigure } from './figure.ts';
import { type DueRule, type RuleRow, dueRules, findScopeName, lockRule, updateRule } from './store.ts';

/** Rules of a run, and of one company in it: the others wait for the next run. */
const RUN_MAX = 500;
const COMPANY_MAX = 10;
/** How long it takes until a figure that could not be read is read again. */
const RETRY_MS = 10 * 60_000;

/**
 * Checks the rules of all companies that are due, one after another, and notifies a company when a figure begins to meet its rule:
 * once until it does not meet it any more, and of today's figures once a day. A rule whose figure cannot be read is tried again after
 * ten minutes and delays no other.
 */
export async function checkAlertRules(ctx: Context): Promise<void> {
  const due = await dueRules(ctx.db, { now: ctx.now(), eachMax: COMPANY_MAX, max: RUN_MAX });
  for (const rule of due) {
    try {
      await checkRule(ctx, rule);
    } catch (err) {
      if (isDatabaseUnavailable(err)) throw err;
      ctx.log.error({ err, companyId: rule.company_uuid }, 'a rule of alerts could not be checked');
      await storeCheck(ctx, rule, {
        state: 'failed',
        next_check_at: new Date(ctx.now().getTime() + RETRY_MS),
      });
    }
  }
}

async function checkRule(ctx: Context, rule: DueRule): Promise<void> {
  const now = ctx.now();
  const { company_uuid: companyId, scope, scope_uuid: uuid, time_zone: timeZone, days, hour } = rule;
  const next = nextCheckAt(now, { days, hour, timeZone });
  const { from, to } = daysOf(now, { metric: rule.metric, days, timeZone });
  const checked = { from_date: from, to_date: to, checked_at: now, next_check_at: next };
  if (scope !== 'company' && (await findScopeName(ctx.db, companyId, scope, uuid!)) === undefined) {
    await storeCheck(ctx, rule, { ...checked, state: 'unknown', value: null, volume: null, met_since: null });
    return;
  }
  const terms = termsOf(rule);
  const figure = await readFigure(ctx, {
    ...terms,
    companyId,
    range: { start: from, end: to, timeZone },
  });
  const state = evaluateRule(terms, figure);
  // Today's figure begins anew each day. What cannot be said for a while does not end what was met.
  const before = days === 0 && rule.from_date !== from ? null : rule.met_since;
  const since = state === 'not_met' ? null : state === 'met' ? (before ?? now) : before;
  await storeCheck(
    ctx,
    rule,
    { ...checked, state, value: figure.value, volume: figure.volume, met_since: since },
    since !== null && before === null ? figure : undefined,
  );
}

const termsOf = (
  rule: DueRule,
): Pick<AlertRule, 'metric' | 'scope' | 'scope_uuid' | 'days' | 'direction' | 'threshold' | 'minimum'> => ({
  ...rule,
  minimum: rule.minimum_of === null ? null : { of: rule.minimum_of, value: rule.minimum! },
});

type Check = Partial<
  Pick<RuleRow, 'from_date' | 'to_date' | 'checked_at' | 'state' | 'value' | 'volume' | 'met_since'>
> &
  Pick<RuleRow, 'next_check_at'>;

/**
 * Stores what a check said, and with `news` notifies the company of it in the same transaction: not if the rule was changed, removed
 * or checked meanwhile.
 */
async function storeCheck(ctx: Context, rule: DueRule, check: Check, news?: RuleFigure): Promise<void> {
  const { company_uuid: companyId, uuid } = rule;
  await transact(ctx.db, async (tx) => {
    const present = await lockRule(tx.db, companyId, uuid);
    if (present?.next_check_at?.getTime() !== rule.next_check_at.getTime()) return;
    await updateRule(tx.db, companyId, uuid, check);
    if (!news) return;
    await notify(ctx, tx, companyId, {
      kind: 'alert_rule',
      ...notificationMessages.alertRule({
        rule: ruleText(rule),
        figure: figureSentence(rule.metric, news),
        scope: rule.scope_name,
        from: dayText(check.from_date!),
        to: dayText(check.to_date!),
        isToday: rule.days === 0,
      }),
      entity: rule.scope === 'company' ? undefined : { type: rule.scope, uuid: rule.scope_uuid! },
    });
  });
}
