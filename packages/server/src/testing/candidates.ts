import { TargetSettings } from '@bidwell/contract/target';
import { v7 as uuidv7 } from 'uuid';
import { compileSnapshot } from '../delivery/snapshot/compile.ts';
import type { AdsetRow, BannerCreative, Candidate, MediaFile } from '../delivery/snapshot/types.ts';

/** A banner of a size. */
export function bannerOf(width: number, height: number, file: Partial<MediaFile> = {}): BannerCreative {
  const image = { extension: 'png', contentType: 'image/png', bytes: 20_000, ...file };
  return {
    uuid: uuidv7(),
    groupUuid: uuidv7(),
    type: 'Banner',
    file: { uuid: uuidv7(), width, height, ...image },
  };
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
      name: 'Advertised',
      iconLink: 'https://icons.example/advertised.png',
      rating: 4.5,
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
    creatives: [bannerOf(320, 50)],
    target: TargetSettings.parse({ ...target }),
    ...rest,
  };
}

/** A compiled ad set; see {@link adsetRowOf} for what it fits. */
export function candidateOf(changes: Partial<Candidate> = {}): Candidate {
  return { ...compileSnapshot([adsetRowOf()], 0).candidates[0]!, ...changes };
}
