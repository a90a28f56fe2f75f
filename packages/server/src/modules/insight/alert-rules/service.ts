import {
  ALERT_RULES_MAX,
  RULE_METRICS,
  type AlertRule,
  type AlertRuleInput,
  ruleFigureText,
  ruleText,
} from '@bidwell/contract/alerts/rules';
import { apiMessages, messages } from '@bidwell/contract/text/messages';
import { v7 as uuidv7 } from 'uuid';
import type { Context } from '../../../context.ts';
import type { Actor } from '../../../platform/actor.ts';
import { Conflict, Invalid, NotFound } from '../../../platform/errors.ts';
import { requireExpected } from '../../../platform/expected-version.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { type Tx, transact } from '../../../platform/postgres/transaction.ts';
import { timeZoneOf } from '../../identity/public.ts';
import { recordChange } from '../../changes/public.ts';
import { firstCheckAt } from './check-times.ts';
import {
  type NamedRule,
  type RuleRow,
  countRulesLocked,
  deleteRule,
  findRule,
  findScopeName,
  insertRule,
  listRules,
  lockRule,
  updateRule,
} from './store.ts';

/** The rules of the company with what their last check said, in the order of their creation. */
export async function listAlertRules(ctx: Context, actor: Actor): Promise<AlertRule[]> {
  requirePermission(actor, 'alert.read');
  return (await listRules(ctx.db, actor.companyId)).map(presentRule);
}

/** Adds a rule. Throws Conflict if there are fifty, and Invalid if what it watches is archived or not the company's. */
export async function createAlertRule(ctx: Context, actor: Actor, input: AlertRuleInput): Promise<AlertRule> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const uuid = uuidv7();
  return transact(ctx.db, async (tx) => {
    if ((await countRulesLocked(tx.db, companyId)) >= ALERT_RULES_MAX)
      throw new Conflict(apiMessages.alertRuleLimit(ALERT_RULES_MAX));
    const values = await valuesOf(ctx, tx, companyId, input);
    await insertRule(tx.db, companyId, { uuid, ...values, created_at: ctx.now() });
    const made = (await findRule(tx.db, companyId, uuid))!;
    await recordRule(ctx, tx, actor, { action: 'create', before: null, after: made });
    return presentRule(made);
  });
}

/** Changes a rule, which is then checked anew. Throws NotFound, and Invalid as {@link createAlertRule}. */
export async function updateAlertRule(
  ctx: Context,
  actor: Actor,
  { uuid, ...input }: AlertRuleInput & { uuid: string },
): Promise<AlertRule> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  return transact(ctx.db, async (tx) => {
    const before = await lockRule(tx.db, companyId, uuid);
    if (!before) throw new NotFound('Rule');
    await requireExpected(() => presentRule(before));
    const values = await valuesOf(ctx, tx, companyId, input);
    await updateRule(tx.db, companyId, uuid, values);
    const after = (await findRule(tx.db, companyId, uuid))!;
    await recordRule(ctx, tx, actor, { action: 'update', before, after });
    return presentRule(after);
  });
}

/** Removes a rule. Throws NotFound. */
export async function deleteAlertRule(ctx: Context, actor: Actor, uuid: string): Promise<void> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  await transact(ctx.db, async (tx) => {
    const before = await lockRule(tx.db, companyId, uuid);
    if (!before) throw new NotFound('Rule');
    await requireExpected(() => presentRule(before));
    await deleteRule(tx.db, companyId, uuid);
    await recordRule(ctx, tx, actor, { action: 'delete', before, after: null });
  });
}

/** The columns of a rule that was just entered: nothing is known of it, and its first check is soon. */
async function valuesOf(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { minimum, ...input }: AlertRuleInput,
): Promise<Omit<RuleRow, 'uuid' | 'company_uuid' | 'created_at'>> {
  const { scope, scope_uuid: scopeUuid } = input;
  if (scope !== 'company' && (await findScopeName(tx.db, companyId, scope, scopeUuid!)) === undefined)
    throw new Invalid([{ field: 'scope_uuid', message: messages.ruleScope }]);
  const timeZone = await timeZoneOf(tx.db, companyId);
  return {
    ...input,
    minimum_of: minimum?.of ?? null,
    minimum: minimum?.value ?? null,
    state: 'unchecked',
    value: null,
    volume: null,
    from_date: null,
    to_date: null,
    checked_at: null,
    met_since: null,
    next_check_at: input.is_enabled ? firstCheckAt(ctx.now(), { ...input, timeZone }) : null,
  };
}

async function recordRule(
  ctx: Context,
  tx: Tx,
  actor: Actor,
  {
    action,
    before,
    after,
  }: { action: 'create' | 'update' | 'delete'; before: NamedRule | null; after: NamedRule | null },
): Promise<void> {
  const rule = (after ?? before)!;
  await recordChange(ctx, tx, actor, {
    entity: 'alert_rule',
    uuid: rule.uuid,
    name: ruleText(rule),
    action,
    before: before && loggedFields(before),
    after: after && loggedFields(after),
  });
}

const loggedFields = (row: NamedRule) => ({
  rule: ruleText(row),
  watches: row.scope === 'company' ? 'the company' : row.scope_name,
  minimum:
    row.minimum_of && `${RULE_METRICS[row.minimum_of].label} ${ruleFigureText(row.minimum_of, row.minimum!)}`,
  hour: row.hour,
  is_enabled: row.is_enabled,
});

function presentRule({ company_uuid: _company, minimum_of: of, minimum, ...row }: NamedRule): AlertRule {
  return {
    ...row,
    minimum: of === null ? null : { of, value: minimum! },
    checked_at: row.checked_at?.toISOString() ?? null,
    met_since: row.state === 'met' ? row.met_since!.toISOString() : null,
    next_check_at: row.next_check_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}
