import type { Aggregate } from './aggregates.ts';

/** Outcomes of bids by day, from which the bidder learns. */
export const dailyHistory: Aggregate = {
  name: 'daily_history',
  sortedBy: 'time',
  grain: 'day',
  columns: [
    'adset_id',
    'creative_id',
    'creative_type',
    'creative_width',
    'creative_height',
    'bundle',
    'country',
  ],
  measures: ['validImpressions', 'validClicks', 'trainingInstalls', 'trainingRejectedInstalls'],
};
