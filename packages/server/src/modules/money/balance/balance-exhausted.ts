import { notificationMessages } from '@bidwell/contract/notifications/notification-messages';
import { type Micros, toDollars, toMicros } from '@bidwell/contract/lib/money';
import { dollarsText } from '@bidwell/contract/lib/number-text';
import type { Context } from '../../../context.ts';
import { type Tx, type Db, transact } from '../../../platform/postgres/transaction.ts';
import { balanceLowMicrosOf, notify, takeBack, saveBalanceLow } from '../../messaging/public.ts';
import { lockCompanies, walletMicros, walletMicrosOf, lockCompany } from '../store.ts';
import type { AlertSettings } from '@bidwell/contract/alerts/schema';
import type { Actor } from '../../../platform/actor.ts';
import { NotFound } from '../../../platform/errors.ts';
import { requirePermission } from '../../../platform/permissions.ts';
import { recordChange } from '../../changes/public.ts';
import { requireExpected } from '../../../platform/expected-version.ts';

/** A debit of a balance, in micros. */
interface Debit {
  beforeMicros: Micros;
  afterMicros: Micros;
  creditMicros: Micros;
}

/**
 * Notifies a company, in the transaction whose debit did that, that its balance is used up: it went from above its floor to the
 * floor or below, which is zero, or `creditMicros` below zero; or that it fell to the amount of the company's alert.
 * Notifies again only after the balance was above it.
 */
export async function notifyWhenExhausted(
  ctx: Context,
  tx: Tx,
  companyId: string,
  debit: Debit,
): Promise<void> {
  const low = await balanceLowMicrosOf(tx.db, [companyId]);
  await notifyOfDebit(ctx, tx, companyId, { ...debit, lowMicros: low.get(companyId) });
}

async function notifyOfDebit(
  ctx: Context,
  tx: Tx,
  companyId: string,
  {
    beforeMicros,
    afterMicros,
    creditMicros,
    lowMicros = -Infinity,
  }: Debit & { lowMicros: Micros | undefined },
): Promise<void> {
  if (beforeMicros > -creditMicros && afterMicros <= -creditMicros)
    await notify(ctx, tx, companyId, {
      kind: 'balance',
      ...(creditMicros > 0 ? notificationMessages.creditExhausted : notificationMessages.balanceExhausted),
      entity: { type: 'company', uuid: companyId },
    });
  else if (beforeMicros > lowMicros && afterMicros <= lowMicros)
    await notifyOfLow(ctx, tx, companyId, lowMicros);
}

/** An amount at which a company wants an alert instead of the one before, in micros; null for no alert. */
interface LowAmount {
  beforeMicros: Micros | null;
  lowMicros: Micros | null;
  creditMicros: Micros;
}

/**
 * Notifies a company whose balance is already below the alert amount that it just chose, since no debit will cross it. Does nothing if it was that
 * low for the previous amount too, or if it is used up, which has its own notice.
 */
async function notifyWhenLow(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { beforeMicros, lowMicros, creditMicros }: LowAmount,
): Promise<void> {
  if (lowMicros === null) return;
  const micros = await walletMicros(tx.db, companyId);
  const wasLow = beforeMicros !== null && micros <= beforeMicros;
  if (!wasLow && micros <= lowMicros && micros > -creditMicros)
    await notifyOfLow(ctx, tx, companyId, lowMicros);
}

async function notifyOfLow(ctx: Context, tx: Tx, companyId: string, lowMicros: Micros): Promise<void> {
  await notify(ctx, tx, companyId, {
    kind: 'balance',
    ...notificationMessages.balanceLow(dollarsText(toDollars(lowMicros))),
    entity: { type: 'company', uuid: companyId },
  });
}

/** Takes back, in the transaction that added funds or credit, that the balance of a company is used up or low, if it is not any more. */
export async function takeBackExhausted(
  ctx: Context,
  tx: Tx,
  companyId: string,
  { afterMicros, creditMicros }: Omit<Debit, 'beforeMicros'>,
): Promise<void> {
  const low = (await balanceLowMicrosOf(tx.db, [companyId])).get(companyId) ?? -Infinity;
  const { balanceExhausted, creditExhausted, balanceLow } = notificationMessages;
  const titles = [
    ...(afterMicros > -creditMicros ? [balanceExhausted.title, creditExhausted.title] : []),
    ...(afterMicros > Math.max(low, -creditMicros) ? [balanceLow('').title] : []),
  ];
  if (titles.length > 0) await takeBack(ctx, tx, companyId, { kind: 'balance', titles });
}

/** Like {@link notifyWhenExhausted} for spend posted in this transaction: `debits` in micros by company. */
export async function notifyExhaustedCompanies(
  ctx: Context,
  tx: Tx,
  debits: ReadonlyMap<string, Micros>,
): Promise<void> {
  const companyIds = [...debits.keys()].sort();
  // Without locks, two concurrent postings would each miss the other's debit, and neither would see the balance reach
  // zero.
  const credits = await lockCompanies(tx.db, companyIds);
  const balances = await walletMicrosOf(tx.db, companyIds);
  const low = await balanceLowMicrosOf(tx.db, companyIds);
  for (const companyId of companyIds) {
    const afterMicros = balances.get(companyId) ?? 0;
    const beforeMicros = afterMicros + debits.get(companyId)!;
    const creditMicros = credits.get(companyId) ?? 0;
    const lowMicros = low.get(companyId);
    await notifyOfDebit(ctx, tx, companyId, { beforeMicros, afterMicros, creditMicros, lowMicros });
  }
}

/** When the company is alerted. */
export async function readAlertSettings(ctx: Context, actor: Actor): Promise<AlertSettings> {
  requirePermission(actor, 'alert.read');
  return settingsOf(await lowMicrosOf(ctx.db, actor.companyId));
}

/** Changes when the company is alerted, and alerts it at once if its balance is that low already. Throws NotFound. */
export async function saveAlertSettings(
  ctx: Context,
  actor: Actor,
  input: AlertSettings,
): Promise<AlertSettings> {
  requirePermission(actor, 'alert.write');
  const { companyId } = actor;
  const lowMicros = input.balance_low === null ? null : toMicros(input.balance_low);
  return transact(ctx.db, async (tx) => {
    // Without the lock, a debit at the same time could miss the new amount while this misses the debit.
    const company = await lockCompany(tx.db, companyId);
    if (!company) throw new NotFound('Company');
    const beforeMicros = await lowMicrosOf(tx.db, companyId);
    await requireExpected(() => settingsOf(beforeMicros));
    await saveBalanceLow(tx.db, companyId, lowMicros);
    const after = settingsOf(lowMicros);
    await recordChange(ctx, tx, actor, {
      entity: 'company',
      uuid: companyId,
      name: company.name,
      before: { balance_low_alert: settingsOf(beforeMicros).balance_low },
      after: { balance_low_alert: after.balance_low },
    });
    await notifyWhenLow(ctx, tx, companyId, {
      beforeMicros,
      lowMicros,
      creditMicros: company.credit_limit_micros,
    });
    return after;
  });
}

const settingsOf = (lowMicros: Micros | null): AlertSettings => ({
  balance_low: lowMicros === null ? null : toDollars(lowMicros),
});

async function lowMicrosOf(db: Db, companyId: string): Promise<Micros | null> {
  return (await balanceLowMicrosOf(db, [companyId])).get(companyId) ?? null;
}
