import type { CoarseValue } from '@bidwell/contract/skadnetwork/postbacks';

/** The conversion windows by their number, as days after the first launch. */
export const windowTexts = ['Days 0–2', 'Days 3–7', 'Days 8–35'] as const;

/** Coarse conversion values. */
export const coarseTexts: Readonly<Record<CoarseValue, string>> = {
  low: 'Low',
  medium: 'Medium',
  high: 'High',
};
