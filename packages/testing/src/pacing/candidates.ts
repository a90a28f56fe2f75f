import { TargetSettings } from '@bidwell/contract/targets/schema';
import { v7 as uuidv7 } from 'uuid';
import { type Ssp, compileSsp } from '@bidwell/server/delivery/snapshot/exchange-store';
import { compileSnapshot } from '@bidwell/server/delivery/snapshot/compile';
import type {
  AdsetRow,
  BannerCreative,
  Candidate,
  MediaFile,
  NativeCreative,
  PlayableCreative,
  VideoCreative,
} from '@bidwell/server/delivery/model/candidate';

function imageOf(width: number, height: number, over: Partial<MediaFile> = {}): MediaFile {
  return {
    uuid: uuidv7(),
    extension: 'png',
    contentType: 'image/png',
    bytes: 20_000,
    width,
    height,
    ...over,
  };
}

/** A banner creative of this size. */
export function bannerOf(width: number, height: number, file: Partial<MediaFile> = {}): BannerCreative {
  return { uuid: uuidv7(), groupUuid: uuidv7(), type: 'Banner', file: imageOf(width, height, file) };
}

/** A native creative with an image of this size. */
export function nativeOf(width: number, height: number, over: Partial<NativeCreative> = {}): NativeCreative {
  return {
    uuid: uuidv7(),
    groupUuid: uuidv7(),
    type: 'Native',
    file: imageOf(width, height),
    title: 'Solve a puzzle a day',
    description: 'Thousands of puzzles for quiet minutes',
    sponsor: 'Puzzle Company',
    ...over,
  };
}

/** A video of 2000 kbit/s with an end card of its size. */
export function videoOf(width: number, height: number, seconds: number): VideoCreative {
  return {
    uuid: uuidv7(),
    groupUuid: uuidv7(),
    type: 'Video',
    file: imageOf(width, height, {
      extension: 'mp4',
      contentType: 'video/mp4',
      bytes: (seconds * 2_000_000) / 8,
    }),
    durationMs: seconds * 1000,
    endCard: imageOf(width, height),
  };
}

export function playableOf(): PlayableCreative {
  const file = imageOf(0, 0, { extension: 'html', contentType: 'text/html' });
  return { uuid: uuidv7(), groupUuid: uuidv7(), type: 'Playable', file };
}

/** The row of an ad set that matches all Android traffic at $2 CPM, with `changes` applied. */
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
    advertiserName: 'Example Company',
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
      advertiserDomain: 'example.com',
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

/** A compiled ad set; see {@link adsetRowOf} for what it matches. */
export function candidateOf(changes: Partial<Candidate> = {}): Candidate {
  return { ...compileSnapshot([adsetRowOf()]).candidates[0]!, ...changes };
}

/** An exchange without deviations from OpenRTB and without limits. */
export const plainExchange: Ssp = compileSsp({
  slug: 'exchange',
  chargeOn: 'billing',
  auctionType: 'request',
  clickMacro: '',
  priceMacro: '${AUCTION_PRICE}',
  lossMacro: '${AUCTION_LOSS}',
  timeoutMs: null,
  requestsPerSecond: null,
  secret: null,
  previousSecret: null,
  previousSecretUntil: null,
  open: true,
  seat: 'bidwell',
  answerBytesMax: null,
});
