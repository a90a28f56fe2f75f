import { MICROS, toMicros } from '@bidwell/contract/lib/money';
import type { StatementBody } from '@bidwell/contract/finance/schema';
import type { z } from 'zod';

const CENT_MICROS = MICROS / 100;

/** The nearest cent; half a cent goes up, also below zero, so that differences of balances are rounded the same way. */
const centsOf = (dollars: number): number => Math.floor(toMicros(dollars) / CENT_MICROS + 0.5);

/**
 * Amounts in whole cents that add up to their total in whole cents, each less than a cent from its exact value (largest
 * remainder). Parts of another total are rounded for themselves. All in dollars. Pure.
 */
export function partsInCents(parts: readonly number[], total: number): number[] {
  const exact = parts.map((part) => toMicros(part) / CENT_MICROS);
  const cents = exact.map(Math.floor);
  const missing = centsOf(total) - cents.reduce((sum, part) => sum + part, 0);
  const byRemainder = exact
    .map((part, index) => ({ index, remainder: part - Math.floor(part) }))
    .toSorted((a, b) => b.remainder - a.remainder);
  // Otherwise they are not the parts of this total, and each is rounded for itself.
  if (missing < 0 || missing > parts.length) return parts.map((part) => centsOf(part) / 100);
  for (const { index } of byRemainder.slice(0, missing)) cents[index]! += 1;
  return cents.map((part) => part / 100);
}

/**
 * A statement in whole cents that adds up: each balance is rounded, each amount is the difference of the balances before and
 * after it, the totals are the sums of the amounts, and the campaigns add up to the media spend. The exact amounts, in
 * micros, are in the CSV file. Pure.
 */
export function statementInCents<Body extends z.infer<typeof StatementBody>>(statement: Body): Body {
  const totals = { top_up: 0, credit: 0, debit: 0, spend: 0 };
  let before = centsOf(statement.opening);
  const lines = statement.lines.map((line) => {
    const balance = centsOf(line.balance);
    const amount = balance - before;
    before = balance;
    totals[line.kind] += amount;
    return { ...line, amount: amount / 100, balance: balance / 100 };
  });
  const spend = totals.spend / 100;
  const campaigns = partsInCents(
    statement.campaigns.map((campaign) => campaign.spend),
    -spend,
  );
  return {
    ...statement,
    opening: centsOf(statement.opening) / 100,
    closing: centsOf(statement.closing) / 100,
    totals: {
      top_up: totals.top_up / 100,
      credit: totals.credit / 100,
      debit: totals.debit / 100,
      spend,
    },
    lines,
    campaigns: statement.campaigns.map((campaign, index) => ({ ...campaign, spend: campaigns[index]! })),
  };
}
