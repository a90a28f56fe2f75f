import { BundleQuery, BundleReport, ExportQuery, LevelQuery, LevelReport, LevelRow } from './schema.ts';
import { adsetExample } from '../adsets/examples.ts';
import { exampleRange, exampleOf } from '../lib/example.ts';

const figures = { clicks: 120, installs: 30, impressions: 8000, spends: 24, ctr: 1.5, cpm: 3, cpi: 0.8 };

const levelRow: LevelRow = {
  level: 'adset',
  value: adsetExample.uuid,
  name: adsetExample.name,
  ...figures,
  children: [],
};

/** The examples of the API's documents. */
export const reportExamples = [
  exampleOf(BundleQuery, { ...exampleRange, creative_ids: [] }),
  exampleOf(
    BundleReport,
    { rows: [{ bundle: 'com.example.goodgame', name: 'Good Game', ...figures }], total: figures },
    'BundleReport',
  ),
  exampleOf(LevelQuery, { ...exampleRange, levels: { adset: '', creative_type: 'Banner,Video' } }),
  exampleOf(LevelRow, levelRow, 'LevelRow'),
  exampleOf(
    LevelReport,
    {
      rows: [levelRow],
      total: figures,
    },
    'LevelReport',
  ),
  exampleOf(ExportQuery, { ...exampleRange, levels: { campaign: '', day: '' }, metrics: ['ipm'] }),
];
