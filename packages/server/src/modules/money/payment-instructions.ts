import type { PaymentInstructions } from '@bidwell/contract/finance/schema';
import type { Context } from '../../context.ts';
import type { Actor } from '../../platform/actor.ts';
import { type Operator, requireOperatorPermission } from '../../platform/operator.ts';
import { requirePermission } from '../../platform/permissions.ts';
import { transact, type Db } from '../../platform/postgres/transaction.ts';
import { recordAuditEntry } from '../changes/public.ts';
import { requireExpected } from '../../platform/expected-version.ts';
import { lockSetting } from '../../platform/postgres/locks.ts';

/** How companies pay, in the operator's words. */
export async function readPaymentInstructions({ db }: Pick<Context, 'db'>): Promise<PaymentInstructions> {
  return { instructions: await findPaymentInstructions(db) };
}

/** How companies pay, for an operator. */
export async function readPaymentInstructionsAsOperator(
  { db }: Context,
  operator: Operator,
): Promise<PaymentInstructions> {
  requireOperatorPermission(operator, 'money.read');
  return { instructions: await findPaymentInstructions(db) };
}

/** {@link readPaymentInstructions} for a company. */
export async function paymentInstructionsFor(ctx: Context, actor: Actor): Promise<PaymentInstructions> {
  requirePermission(actor, 'money.read');
  return readPaymentInstructions(ctx);
}

/** Replaces how companies pay; an empty text removes it. */
export async function changePaymentInstructions(
  ctx: Context,
  operator: Operator,
  after: PaymentInstructions,
): Promise<PaymentInstructions> {
  requireOperatorPermission(operator, 'money.write');
  await transact(ctx.db, async (tx) => {
    await lockSetting(tx.db, 'payment instructions');
    const before = await findPaymentInstructions(tx.db);
    await requireExpected(() => ({ instructions: before }));
    if (before === after.instructions) return;
    await savePaymentInstructions(tx.db, after.instructions);
    await recordAuditEntry(ctx, tx, operator, {
      action: 'Changed',
      entity: 'payment instructions',
      entityId: null,
      name: 'of all companies',
      before: { instructions: before },
      after: { instructions: after.instructions },
    });
  });
  return { instructions: await findPaymentInstructions(ctx.db) };
}

/** How companies pay; '' until an operator has written it. */
async function findPaymentInstructions(db: Db): Promise<string> {
  const row = await db.selectFrom('payment_instructions').select('instructions').executeTakeFirst();
  return row?.instructions ?? '';
}

/** Replaces the text on how companies pay. */
async function savePaymentInstructions(db: Db, instructions: string): Promise<void> {
  await db
    .insertInto('payment_instructions')
    .values({ instructions })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ instructions }))
    .execute();
}
