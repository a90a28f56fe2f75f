import { bannerMarkup } from './render.ts';
import { playableMarkup } from './playable.ts';
import { vastMarkup } from './vast.ts';

/** A file of a creative at its public address. */
interface ReviewedFile {
  uuid: string;
  extension: string;
  contentType: string;
  width: number;
  height: number;
  bytes: number;
  url: string;
}

/** What an exchange reviews of a creative. Its addresses are the final ones, without trackers. */
export interface ReviewedAd {
  creativeId: string;
  type: 'Banner' | 'Video' | 'Playable' | 'Native';
  appName: string;
  advertiserDomain: string;
  /** Where clicks lead to. */
  clickUrl: string;
  file: ReviewedFile;
  endCard: ReviewedFile | null;
  durationMs: number;
}

/** The markup of a creative for a review: HTML, or for a video VAST. Null for a native ad, which has fields. The same creative has the same markup. Pure. */
export function reviewMarkup(ad: ReviewedAd): string | null {
  const { type, file, clickUrl, durationMs } = ad;
  switch (type) {
    case 'Banner': {
      const { url: imageUrl, width, height } = file;
      return bannerMarkup({ imageUrl, clickUrl, pixelUrls: [], width, height });
    }
    case 'Playable':
      return playableMarkup({ pageUrl: file.url, clickUrl, impressionUrls: [] });
    case 'Video':
      return vastMarkup({
        version: '3.0',
        detail: 'full',
        adServingId: ad.creativeId,
        creativeId: ad.creativeId,
        title: ad.appName,
        advertiser: ad.advertiserDomain,
        durationMs,
        skipAfterSeconds: null,
        video: { ...file, bitrateKbps: durationMs > 0 ? Math.ceil((file.bytes * 8) / durationMs) : 0 },
        endCard: ad.endCard,
        clickUrl,
        impressionUrls: [],
        // A player of the exchange that calls its events finds a file, and nothing is counted.
        eventUrl: () => file.url,
        verification: null,
      });
    case 'Native':
      return null;
  }
}
