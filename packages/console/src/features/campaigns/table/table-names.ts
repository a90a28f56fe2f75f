import type { Depth } from './open-rows.ts';

/** The table's name, under which its columns are stored. */
export const tableNames: Readonly<Record<Depth, string>> = {
  campaign: 'campaigns',
  adset: 'ad sets',
  creative: 'creatives',
};
