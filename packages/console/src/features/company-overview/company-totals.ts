import type { CompanySummary } from '@bidwell/contract/company-overview/schema';

const SUMMED_FIGURES = [
  'spend_today',
  'spend_7_days',
  'balance',
  'active_campaigns',
  'unread_warnings',
] as const satisfies readonly (keyof CompanySummary)[];

/** A figure of {@link CompanySummary} that companies add up to. */
export type SummedFigure = (typeof SUMMED_FIGURES)[number];

/**
 * The sum of a figure over the companies that show it to the person. Null where none does, and where the figure of a company could not be
 * read in time: a sum without it would look like the whole.
 */
export function companyTotal(companies: readonly CompanySummary[], figure: SummedFigure): number | null {
  if (companies.some((company) => company.is_incomplete && company[figure] === null)) return null;
  const shown = companies.map((company) => company[figure]).filter((value) => value !== null);
  return shown.length === 0 ? null : shown.reduce((sum, value) => sum + value, 0);
}

/** Whether totals are without some company's figures, which its role or what it requires does not show to the person. */
export function hidesFigures(companies: readonly CompanySummary[]): boolean {
  return companies.some(
    ({ is_incomplete: isIncomplete, ...company }) =>
      !isIncomplete && SUMMED_FIGURES.some((figure) => company[figure] === null),
  );
}
