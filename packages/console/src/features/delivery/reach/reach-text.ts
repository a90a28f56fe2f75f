import { formatNumber } from '../../../lib/format/format.ts';

/** The impressions whose people are not known, in a sentence. */
export const unknownText = (impressions: number, hasKnown: boolean): string =>
  `${formatNumber(impressions)} ${hasKnown ? 'other charged ' : 'charged '}${impressions === 1 ? 'impression was' : 'impressions were'} of ad sets without a frequency cap, or to people without an id: how many people saw them is not known.`;
