import { DATA_TYPES, dataText } from '../model/native-parts.ts';
import type { AdsetRow, Creative, CreativeFormat, CompiledCreative } from '../model/candidate.ts';

type App = AdsetRow['app'];
/** Adds the creative format to a creative. `hasIcon`: the app has an icon, or the ad set an image that serves as one. */
export type FormatResolver = (creative: Creative, app: App, hasIcon: boolean) => CompiledCreative;

type ByCreative = WeakMap<Creative, CompiledCreative>;

/** Creates a function that adds creative formats to creatives. Equal creative formats are the same object; results are memoised per app. */
export function formatResolver(): FormatResolver {
  const formats = new Map<string, CreativeFormat>();
  const resolved = { with: new WeakMap<App, ByCreative>(), without: new WeakMap<App, ByCreative>() };
  const same = (creativeFormat: CreativeFormat): CreativeFormat => {
    const key = Object.values(creativeFormat).join(' ');
    const known = formats.get(key);
    if (!known) formats.set(key, creativeFormat);
    return known ?? creativeFormat;
  };
  return (creative, app, hasIcon) => {
    const byApp = hasIcon ? resolved.with : resolved.without;
    const ofApp = byApp.get(app) ?? new WeakMap<Creative, CompiledCreative>();
    byApp.set(app, ofApp);
    const known = ofApp.get(creative);
    if (known) return known;
    const creativeFormat = same(creativeFormatOf(creative, app, hasIcon));
    // Copies by a spread would have a hidden class each; see candidateOf.
    const fresh = Object.assign({ creativeFormat }, creative);
    ofApp.set(creative, fresh);
    return fresh;
  };
}

function creativeFormatOf(creative: Creative, app: App, hasIcon: boolean): CreativeFormat {
  const { width, height, contentType, bytes } = creative.file;
  const { durationMs } = creative.type === 'Video' ? creative : { durationMs: 0 };
  return {
    type: creative.type,
    contentType,
    width,
    height,
    durationSeconds: Math.round(durationMs / 1000),
    // Bits per millisecond equal kilobits per second.
    bitrateKbps: durationMs === 0 ? 0 : Math.ceil((bytes * 8) / durationMs / 100) * 100,
    dataTypes:
      creative.type === 'Native'
        ? Object.values(DATA_TYPES).filter((type) => dataText(type, creative, app) !== '')
        : [],
    hasIcon: creative.type === 'Native' && hasIcon,
  };
}
