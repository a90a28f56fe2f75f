import { TargetSettings } from '@bidwell/contract/target';
import { v7 as uuidv7 } from 'uuid';
import { compileSnapshot } from '../delivery/snapshot/compile.ts';
import type { AdsetRow, BannerCreative, Candidate } from '../delivery/snapshot/types.ts';

/** A banner of a size. */
export function bannerOf(width: number, height: number): BannerCreative {
  return { uuid: uuidv7(), groupUuid: uuidv7(), fileUuid: uuidv7(), extension: 'png', width, height };
}

/** An ad set's row that fits everything on Android at $2 CPM, but for what `changes` says. */
export function adsetRowOf(
  changes: Partial<Omit<AdsetRow, 'target'>> & { target?: Partial<TargetSettings> } = {},
): AdsetRow {
  const { target, ...rest } = changes;
  return {
    adsetId: uuidv7(),
    companyId: '019a0000-0000-7000-8000-000000000001',
    timeZone: 'UTC',
    campaignId: uuidv7(),
    campaignName: 'Launch',
    startDate: null,
    endDate: null,
    app: {
      uuid: uuidv7(),
      os: 'android',
      bundle: 'com.example.advertised',
      category: 'IAB9-30',
      storeLink: 'https://play.google.com/store/apps/details?id=com.example.advertised',
    },
    viewUrl: 'https://view.example/v?id={click_id}',
    algorithm: 'Manual CPM',
    cpmMicros: 2_000_000,
    cpiMicros: null,
    dailyBudgetMicros: null,
    totalBudgetMicros: null,
    blackList: [],
    whiteList: [],
    bundleCpmMicros: {},
    banners: [bannerOf(320, 50)],
    target: TargetSettings.parse({ ...target }),
    ...rest,
  };
}

/** A compiled ad set; see {@link adsetRowOf} for what it fits. */
export function candidateOf(changes: Partial<Candidate> = {}): Candidate {
  return { ...compileSnapshot([adsetRowOf()], 0).candidates[0]!, ...changes };
}
