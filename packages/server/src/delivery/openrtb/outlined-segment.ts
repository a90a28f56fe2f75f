import type { CurrencyRates } from '../model/bid-request.ts';
import type { RequestFormat, RequestSegment } from '../shaping/request-values.ts';
import { outlinedFloor, partsOf } from './early-no-bid.ts';
import { arrayOf, objectOf } from './json.ts';
import { type Outline, hashOf } from './read/outline.ts';
import type { OutlinedDevice } from './read/read-device.ts';
import { readSize } from './read/read-imp-fields.ts';

/** Memoised formats of imps, and the longest JSON of one: they come from exchanges and are unbounded. */
const FORMATS_MAX = 2000;
const FORMAT_CHARS_MAX = 2048;
const SIZES_MAX = 50;
/** Imps whose formats are part of a segment. */
const IMPS_MAX = 4;
const OTHER = 'other';

/** Floors below this, CPM, are one step; each further step is a half more. */
const LEAST_FLOOR_MICROS = 20_000;
const FLOOR_STEP = 1.5;
const FLOOR_STEPS = 30;

const formats = new Map<string, string>();
const hashes = new Map<string, RequestFormat>();

/** The segment of a request by its outline. `device` is null if its system or its country is not stated in the usual way. */
export function outlinedSegment(
  outline: Outline,
  device: OutlinedDevice | null,
  rates: CurrencyRates,
): RequestSegment {
  let floorCpmMicros = outlinedFloor(outline, 0, rates);
  for (let index = 1; index < outline.imps; index += 1)
    floorCpmMicros = Math.min(floorCpmMicros, outlinedFloor(outline, index, rates));
  return {
    country: device?.country ?? '',
    os: device?.os ?? '',
    format: formatOf(outline),
    floorStep: floorStepOf(floorCpmMicros),
    bundle: outline.hash('bundle'),
  };
}

function floorStepOf(cpmMicros: number): number {
  if (cpmMicros < LEAST_FLOOR_MICROS) return 0;
  const step = Math.floor(Math.log(cpmMicros / LEAST_FLOOR_MICROS) / Math.log(FLOOR_STEP));
  return Math.min(FLOOR_STEPS, 1 + step);
}

function formatOf(outline: Outline): RequestFormat {
  let label = impFormat(outline, 0);
  if (outline.imps > 1) {
    const labels = new Set([label]);
    for (let index = 1; index < Math.min(IMPS_MAX, outline.imps); index += 1)
      labels.add(impFormat(outline, index));
    label = [...labels].sort().join(', ');
  }
  let format = hashes.get(label);
  if (format) return format;
  if (hashes.size >= FORMATS_MAX) hashes.clear();
  format = { label, hash: hashOf(Buffer.from(label)) };
  hashes.set(label, format);
  return format;
}

/** The formats of an imp, such as `interstitial 320x480 + video`. */
function impFormat(outline: Outline, index: number): string {
  const banner = outline.impText(index, 'banner');
  const video = outline.impText(index, 'video');
  const native = outline.impText(index, 'native');
  const isInterstitial = outline.impNumber(index, 'interstitial') === 1;
  const key = `${isInterstitial}\n${banner}\n${video}\n${native}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  if (key.length > FORMAT_CHARS_MAX) return OTHER;
  const label = labelOf(partsOf({ banner, video, native }), isInterstitial);
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(key, label);
  return label;
}

function labelOf(parts: Record<string, unknown>, isInterstitial: boolean): string {
  const labels: string[] = [];
  if (parts['banner'])
    labels.push(`${isInterstitial ? 'interstitial' : 'banner'}${sizeText(parts['banner'])}`);
  if (parts['video']) labels.push(isInterstitial ? 'full-screen video' : 'video');
  if (parts['native']) labels.push('native');
  return labels.length === 0 ? OTHER : labels.join(' + ');
}

/** The size of a banner, the first one that it lists; '' for none. */
function sizeText(banner: unknown): string {
  const own = objectOf(banner);
  const size = readSize(own) ?? arrayOf(own['format'], SIZES_MAX).map((one) => readSize(objectOf(one)))[0];
  return size ? ` ${size.width}x${size.height}` : '';
}
