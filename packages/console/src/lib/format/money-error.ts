import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { formatMoney } from './format.ts';

interface MoneyBounds {
  /** Dollars; one cent by default. */
  min?: number;
  /** Dollars. */
  max: number;
}

/** The message for an invalid amount of dollars; undefined for a valid one. Pure. */
export function moneyError(
  dollars: number,
  { min = limits.amountMinDollars, max }: MoneyBounds,
): string | undefined {
  if (!(dollars >= min)) return consoleMessages.amountMin(formatMoney(min));
  return dollars > max ? consoleMessages.amountMax(formatMoney(max)) : undefined;
}

/** The same for an amount that is null when the user picks `choice`, for example Unlimited. Pure. */
export function optionalMoneyError(
  dollars: number | null,
  { choice, ...bounds }: MoneyBounds & { choice: string },
): string | undefined {
  if (dollars === null) return undefined;
  const fault = moneyError(dollars, bounds);
  return fault && dollars <= 0 ? `${fault}, or choose ${choice}` : fault;
}
