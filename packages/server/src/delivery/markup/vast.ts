import type { VideoEvent } from '../events/event.ts';
import type { MediaFile } from '../snapshot/types.ts';
import { cdata, escapeXml } from './escape.ts';
import type { VastVersion } from './vast-version.ts';

/** What a video's VAST is made of; all addresses are complete. */
export interface VastMarkup {
  version: VastVersion;
  /** One of its own for each bid. */
  adServingId: string;
  creativeId: string;
  title: string;
  advertiser: string;
  durationMs: number;
  /** Null where people may not skip. */
  skipAfterSeconds: number | null;
  video: MediaFile & { url: string; bitrateKbps: number };
  endCard: (MediaFile & { url: string }) | null;
  clickUrl: string;
  /** Called when the ad begins: our tracker first, then the measurement partner's. */
  impressionUrls: readonly string[];
  /** The tracker of something that happens to the video. */
  eventUrl: (event: VideoEvent) => string;
}

/** Events of VAST 3.0 to 4.2, section 3.14, and our names for them. */
const linearEvents: readonly [string, VideoEvent][] = [
  ['start', 'start'],
  ['firstQuartile', 'first_quartile'],
  ['midpoint', 'midpoint'],
  ['thirdQuartile', 'third_quartile'],
  ['complete', 'complete'],
  ['mute', 'mute'],
  ['unmute', 'unmute'],
];

/** The VAST of a video: one linear ad, its end card as a companion. Valid by the XSD of each version. */
export function vastMarkup(ad: VastMarkup): string {
  const isFour = ad.version !== '3.0';
  const impressions = ad.impressionUrls.map((url) => `<Impression>${cdata(url)}</Impression>`).join('');
  const servingId = hasServingId(ad.version) ? `<AdServingId>${escapeXml(ad.adServingId)}</AdServingId>` : '';
  // The schemas of 4 take the macro only as a URI may hold it, and players replace it so too; older ones may not.
  const code = isFour ? '%5BERRORCODE%5D' : '[ERRORCODE]';
  const error = `<Error>${cdata(`${ad.eventUrl('error')}?code=${code}`)}</Error>`;
  const title = `<AdTitle>${escapeXml(ad.title)}</AdTitle>`;
  const advertiser = `<Advertiser>${escapeXml(ad.advertiser)}</Advertiser>`;
  const calls = error + impressions;
  return (
    `<?xml version="1.0" encoding="UTF-8"?><VAST version="${ad.version}"${isFour ? ' xmlns="http://www.iab.com/VAST"' : ''}>` +
    `<Ad id="${escapeXml(ad.creativeId)}"><InLine><AdSystem>Bidwell</AdSystem>` +
    // The schemas want the same elements in one order in 3.0 and in another from 4.0 on.
    (isFour ? calls + servingId + title + advertiser : title + advertiser + calls) +
    `<Creatives>${linear(ad)}${companion(ad)}</Creatives></InLine></Ad></VAST>`
  );
}

function hasServingId(version: VastVersion): boolean {
  return version === '4.1' || version === '4.2';
}

function linear(ad: VastMarkup): string {
  const { video, skipAfterSeconds } = ad;
  const skip = skipAfterSeconds === null ? '' : ` skipoffset="${clock(skipAfterSeconds * 1000)}"`;
  const events = skipAfterSeconds === null ? linearEvents : [...linearEvents, ['skip', 'skip'] as const];
  const trackers = events.map(([name, event]) => tracking(name, ad.eventUrl(event))).join('');
  const tracked = `<TrackingEvents>${trackers}</TrackingEvents>`;
  const duration = `<Duration>${clock(ad.durationMs)}</Duration>`;
  const media =
    `<MediaFiles><MediaFile delivery="progressive" type="${escapeXml(video.contentType)}" bitrate="${video.bitrateKbps}"` +
    ` width="${video.width}" height="${video.height}">${cdata(video.url)}</MediaFile></MediaFiles>`;
  const clicks = `<VideoClicks><ClickThrough>${cdata(ad.clickUrl)}</ClickThrough></VideoClicks>`;
  const parts =
    ad.version === '3.0' ? duration + tracked + clicks + media : tracked + duration + media + clicks;
  return `<Creative><Linear${skip}>${parts}</Linear>${universalId(ad)}</Creative>`;
}

function companion(ad: VastMarkup): string {
  const { endCard } = ad;
  if (!endCard) return '';
  const mode = hasServingId(ad.version) ? ' renderingMode="end-card"' : '';
  const tracked = `<TrackingEvents>${tracking('creativeView', ad.eventUrl('end_card'))}</TrackingEvents>`;
  const click = `<CompanionClickThrough>${cdata(ad.clickUrl)}</CompanionClickThrough>`;
  return (
    `<Creative><CompanionAds required="none"><Companion width="${endCard.width}" height="${endCard.height}"${mode}>` +
    `<StaticResource creativeType="${escapeXml(endCard.contentType)}">${cdata(endCard.url)}</StaticResource>` +
    `${ad.version === '3.0' ? tracked + click : click + tracked}</Companion></CompanionAds>${universalId(ad)}</Creative>`
  );
}

/** Wanted since VAST 4.0, which alone has the id in an attribute. */
function universalId({ version, creativeId }: VastMarkup): string {
  if (version === '3.0') return '';
  const id = escapeXml(creativeId);
  const attribute = version === '4.0' ? ` idValue="${id}"` : '';
  return `<UniversalAdId idRegistry="unknown"${attribute}>${id}</UniversalAdId>`;
}

function tracking(name: string, url: string): string {
  return `<Tracking event="${name}">${cdata(url)}</Tracking>`;
}

/** HH:MM:SS.mmm. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
