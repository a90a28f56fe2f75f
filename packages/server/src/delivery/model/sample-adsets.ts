import { TargetSettings } from '@bidwell/contract/targets/schema';
import { v7 as uuidv7 } from 'uuid';
import type { AdsetRow, Creative, MediaFile } from './candidate.ts';

/** What a sample ad set bids per thousand impressions. */
const BID_CPM_MICROS = 2_500_000;
const VIDEO_SECONDS = 15;

/**
 * Ad sets of a sample advertiser for Android, each with a creative of one type: a banner of 320 by 50, a playable, an upright
 * video of 15 seconds with an end card, and a native ad. Their ids are new.
 */
export function sampleAdsets(): AdsetRow[] {
  const companyId = uuidv7();
  return sampleCreatives().map((creative) => ({
    adsetId: uuidv7(),
    companyId,
    timeZone: 'UTC',
    campaignId: uuidv7(),
    campaignName: 'Sample campaign',
    advertiserName: 'Sample advertiser',
    startDate: null,
    endDate: null,
    app: {
      uuid: uuidv7(),
      name: 'Sample app',
      os: 'android',
      bundle: 'com.example.sample',
      category: 'IAB9-30',
      storeLink: 'https://play.google.com/store/apps/details?id=com.example.sample',
      advertiserDomain: 'example.com',
      iconLink: null,
      rating: null,
    },
    clickUrl: 'https://app.appsflyer.com/com.example.sample?clickid={click_id}',
    viewUrl: 'https://impression.appsflyer.com/com.example.sample?clickid={click_id}',
    algorithm: 'Manual CPM',
    cpmMicros: BID_CPM_MICROS,
    cpiMicros: null,
    dailyBudgetMicros: null,
    totalBudgetMicros: null,
    blackList: [],
    whiteList: [],
    bundleCpmMicros: {},
    target: TargetSettings.parse({}),
    creatives: [creative],
  }));
}

function sampleCreatives(): Creative[] {
  const ids = () => ({ uuid: uuidv7(), groupUuid: uuidv7() });
  return [
    { ...ids(), type: 'Banner', file: imageOf(320, 50) },
    { ...ids(), type: 'Playable', file: fileOf('html', 'text/html', 0, 0) },
    {
      ...ids(),
      type: 'Video',
      file: { ...fileOf('mp4', 'video/mp4', 720, 1280), bytes: 2_000_000 },
      durationMs: VIDEO_SECONDS * 1000,
      endCard: imageOf(720, 1280),
    },
    {
      ...ids(),
      type: 'Native',
      file: imageOf(1200, 627),
      title: 'Solve a puzzle',
      description: 'A puzzle a day',
      sponsor: 'Sample company',
    },
  ];
}

const imageOf = (width: number, height: number): MediaFile => fileOf('png', 'image/png', width, height);

function fileOf(extension: string, contentType: string, width: number, height: number): MediaFile {
  return { uuid: uuidv7(), extension, contentType, width, height, bytes: 20_000 };
}
