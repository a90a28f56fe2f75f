import type { VideoEvent } from '../model/event.ts';
import type { MediaFile } from '../model/candidate.ts';
import { cdata, escapeXml } from '../../platform/escape.ts';
import type { VastVersion } from '../model/bid-request.ts';

/** A script that measures the ad through the app's Open Measurement SDK (OMID). */
export interface Verification {
  /** Vendor key, such as `company.com-omid`. */
  vendor: string;
  scriptUrl: string;
  /** Parameters for the vendor's script; '' for none. */
  parameters: string;
}

/**
 * Level of detail of a VAST document: `full`; `brief` without optional names and tracking events (mute, skip, view of the
 * end card) and with compact XML; `shortest` also without the end card and the error tracker.
 */
export type VastDetail = 'full' | 'brief' | 'shortest';

/** Inputs of a video's VAST. All URLs are final: macros are filled in. */
export interface VastMarkup {
  version: VastVersion;
  detail: VastDetail;
  /** Unique for each bid. */
  adServingId: string;
  creativeId: string;
  title: string;
  advertiser: string;
  durationMs: number;
  /** Null when the video cannot be skipped. Ignored in VAST 2.0, which has no skip offset. */
  skipAfterSeconds: number | null;
  video: MediaFile & { url: string; bitrateKbps: number };
  endCard: (MediaFile & { url: string }) | null;
  clickUrl: string;
  /** Called when the ad starts: our tracker, then the measurement partner's. */
  impressionUrls: readonly string[];
  /** Tracking URL of a video event. */
  eventUrl: (event: VideoEvent) => string;
  /** Null when the app has no Open Measurement SDK, or no script is configured. */
  verification: Verification | null;
}

/** Tracking events of VAST 2.0 to 4.2 with our names for them. */
const quartileEvents: readonly [string, VideoEvent][] = [
  ['start', 'start'],
  ['firstQuartile', 'first_quartile'],
  ['midpoint', 'midpoint'],
  ['thirdQuartile', 'third_quartile'],
  ['complete', 'complete'],
];
const refiningEvents: readonly [string, VideoEvent][] = [
  ['mute', 'mute'],
  ['unmute', 'unmute'],
];

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

/** VAST of a video: one linear ad, with the end card as a companion. Valid against the XSD of each version. */
export function vastMarkup(ad: VastMarkup): string {
  if (ad.detail === 'full') return XML_DECLARATION + vastElement(ad);
  // Quotes in texts and URLs are escaped, so the remaining ones delimit attributes. In JSON each would take two bytes.
  return vastElement(ad).replaceAll('"', "'");
}

function vastElement(ad: VastMarkup): string {
  const isFull = ad.detail === 'full';
  const four = isFour(ad.version);
  const impressions = ad.impressionUrls.map((url) => `<Impression>${address(ad, url)}</Impression>`).join('');
  const servingId = isAtLeast41(ad.version) ? `<AdServingId>${escapeXml(ad.adServingId)}</AdServingId>` : '';
  const error = ad.detail === 'shortest' ? '' : `<Error>${address(ad, errorUrl(ad))}</Error>`;
  const title = `<AdTitle>${escapeXml(ad.title)}</AdTitle>`;
  // VAST 2.0 has no advertiser element.
  const advertiser =
    isFull && ad.version !== '2.0' ? `<Advertiser>${escapeXml(ad.advertiser)}</Advertiser>` : '';
  const { inline, extension } = verificationElements(ad);
  // The schemas require a different order of the elements since 4.0.
  const head = four
    ? error + extension + impressions + servingId + title + inline + advertiser
    : title + advertiser + error + impressions;
  const adId = isFull ? ` id="${escapeXml(ad.creativeId)}"` : '';
  return (
    `<VAST version="${ad.version}"${four ? ' xmlns="http://www.iab.com/VAST"' : ''}>` +
    `<Ad${adId}><InLine><AdSystem>Bidwell</AdSystem>${head}` +
    `<Creatives>${linear(ad)}${companion(ad)}</Creatives>${four ? '' : extension}</InLine></Ad></VAST>`
  );
}

function isFour(version: VastVersion): boolean {
  return version.startsWith('4');
}

function isAtLeast41(version: VastVersion): boolean {
  return version === '4.1' || version === '4.2';
}

/** A URL as element content: CDATA, which most players are tested with, or escaped text where length matters. */
function address(ad: VastMarkup, url: string): string {
  if (ad.detail === 'full') return cdata(url);
  return escapeXml(url);
}

function errorUrl(ad: VastMarkup): string {
  const url = ad.eventUrl('error');
  // VAST 2.0 has no error codes. The 4.x schemas accept the macro only percent-encoded, and players of 4.x replace it in
  // that form; older players may not.
  if (ad.version === '2.0') return url;
  return `${url}?code=${isFour(ad.version) ? '%5BERRORCODE%5D' : '[ERRORCODE]'}`;
}

/** VAST 4.1 has an element for OMID verification; earlier versions use an extension (OM SDK, "VAST support"). */
function verificationElements({ verification, version }: VastMarkup): { inline: string; extension: string } {
  if (!verification) return { inline: '', extension: '' };
  const { vendor, scriptUrl, parameters } = verification;
  const element =
    `<AdVerifications><Verification vendor="${escapeXml(vendor)}">` +
    `<JavaScriptResource apiFramework="omid" browserOptional="true">${escapeXml(scriptUrl)}</JavaScriptResource>` +
    (parameters === '' ? '' : `<VerificationParameters>${escapeXml(parameters)}</VerificationParameters>`) +
    '</Verification></AdVerifications>';
  if (isAtLeast41(version)) return { inline: element, extension: '' };
  return {
    inline: '',
    extension: `<Extensions><Extension type="AdVerifications">${element}</Extension></Extensions>`,
  };
}

function linear(ad: VastMarkup): string {
  const { video, version, skipAfterSeconds, detail } = ad;
  const skips = skipAfterSeconds !== null && version !== '2.0';
  const skipOffset = skips ? ` skipoffset="${clock(skipAfterSeconds * 1000)}"` : '';
  const events = [...quartileEvents];
  if (detail === 'full') {
    events.push(...refiningEvents);
    if (skips) events.push(['skip', 'skip']);
  }
  const trackers = events.map(([name, event]) => tracking(ad, name, event)).join('');
  const tracked = `<TrackingEvents>${trackers}</TrackingEvents>`;
  const duration = `<Duration>${clock(ad.durationMs)}</Duration>`;
  const media =
    `<MediaFiles><MediaFile delivery="progressive" type="${escapeXml(video.contentType)}" bitrate="${video.bitrateKbps}"` +
    ` width="${video.width}" height="${video.height}">${address(ad, video.url)}</MediaFile></MediaFiles>`;
  const clicks = `<VideoClicks><ClickThrough>${address(ad, ad.clickUrl)}</ClickThrough></VideoClicks>`;
  const parts = isFour(version) ? tracked + duration + media + clicks : duration + tracked + clicks + media;
  return `<Creative><Linear${skipOffset}>${parts}</Linear>${universalId(ad)}</Creative>`;
}

function companion(ad: VastMarkup): string {
  const { endCard, version, detail } = ad;
  if (!endCard || detail === 'shortest') return '';
  const mode = isAtLeast41(version) ? ' renderingMode="end-card"' : '';
  const tracked =
    detail === 'full' ? `<TrackingEvents>${tracking(ad, 'creativeView', 'end_card')}</TrackingEvents>` : '';
  const click = `<CompanionClickThrough>${address(ad, ad.clickUrl)}</CompanionClickThrough>`;
  return (
    `<Creative><CompanionAds${version === '2.0' ? '' : ' required="none"'}>` +
    `<Companion width="${endCard.width}" height="${endCard.height}"${mode}>` +
    `<StaticResource creativeType="${escapeXml(endCard.contentType)}">${address(ad, endCard.url)}</StaticResource>` +
    `${isFour(version) ? click + tracked : tracked + click}</Companion></CompanionAds>${universalId(ad)}</Creative>`
  );
}

/** Required since VAST 4.0; only 4.0 has the id in an attribute as well. */
function universalId({ version, creativeId, detail }: VastMarkup): string {
  if (!isFour(version)) return '';
  const id = detail === 'full' ? escapeXml(creativeId) : 'unknown';
  const attribute = version === '4.0' ? ` idValue="${id}"` : '';
  return `<UniversalAdId idRegistry="unknown"${attribute}>${id}</UniversalAdId>`;
}

function tracking(ad: VastMarkup, name: string, event: VideoEvent): string {
  return `<Tracking event="${name}">${address(ad, ad.eventUrl(event))}</Tracking>`;
}

/** Formats a duration as HH:MM:SS.mmm. */
function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}
