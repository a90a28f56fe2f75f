import type { Db } from '../../platform/postgres/transaction.ts';

/** How companies pay; '' until an operator has written it. */
export async function findPaymentInstructions(db: Db): Promise<string> {
  const row = await db.selectFrom('payment_instructions').select('instructions').executeTakeFirst();
  return row?.instructions ?? '';
}

/** Replaces the text on how companies pay. */
export async function savePaymentInstructions(db: Db, instructions: string): Promise<void> {
  await db
    .insertInto('payment_instructions')
    .values({ instructions })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ instructions }))
    .execute();
}
