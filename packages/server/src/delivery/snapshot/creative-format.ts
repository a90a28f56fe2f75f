import { DATA_TYPES, dataText } from '../model/native-parts.ts';
import type { AdsetRow, Creative, CreativeFormat, CompiledCreative } from '../model/candidate.ts';

type App = AdsetRow['app'];

/** Parts of a native ad that come from its app and from the other creatives of its ad set. */
interface NativeParts {
  /** The app has an icon, or the ad set an image that serves as one. */
  hasIcon: boolean;
  videos: readonly CreativeFormat[];
}

/** Adds the creative formats to the creatives of an ad set. `hasIcon`: see {@link NativeParts}. */
export type FormatResolver = (
  creatives: readonly Creative[],
  app: App,
  hasIcon: boolean,
) => CompiledCreative[];

/** Compiled creatives of an app by the key of its native parts. */
type Compiled = WeakMap<Creative, Map<string, CompiledCreative>>;

/** Creates a function that adds creative formats to creatives. Equal creative formats are the same object; results are memoised per app. */
export function formatResolver(): FormatResolver {
  const formats = new Map<string, CreativeFormat>();
  const resolved = new WeakMap<App, Compiled>();
  const same = (creativeFormat: CreativeFormat): CreativeFormat => {
    const key = keyOf(creativeFormat);
    const known = formats.get(key);
    if (!known) formats.set(key, creativeFormat);
    return known ?? creativeFormat;
  };
  const compile = (creative: Creative, app: App, parts: NativeParts, partsKey: string): CompiledCreative => {
    const ofApp: Compiled = resolved.get(app) ?? new WeakMap();
    resolved.set(app, ofApp);
    const byParts = ofApp.get(creative) ?? new Map<string, CompiledCreative>();
    ofApp.set(creative, byParts);
    const known = byParts.get(partsKey);
    if (known) return known;
    const creativeFormat = same(creativeFormatOf(creative, app, parts));
    // Copies by a spread would have a hidden class each; see candidateOf.
    const fresh = Object.assign({ creativeFormat }, creative);
    byParts.set(partsKey, fresh);
    return fresh;
  };
  return (creatives, app, hasIcon) => {
    const none: NativeParts = { hasIcon: false, videos: [] };
    const videos = new Map<string, CreativeFormat>();
    if (creatives.some(({ type }) => type === 'Native'))
      for (const creative of creatives)
        if (creative.type === 'Video') {
          const { creativeFormat } = compile(creative, app, none, '');
          videos.set(keyOf(creativeFormat), creativeFormat);
        }
    const keys = [...videos.keys()].sort();
    const native: NativeParts = { hasIcon, videos: keys.map((key) => videos.get(key)!) };
    const nativeKey = `${hasIcon} ${keys.join()}`;
    return creatives.map((creative) =>
      creative.type === 'Native'
        ? compile(creative, app, native, nativeKey)
        : compile(creative, app, none, ''),
    );
  };
}

function keyOf({ videos, ...plain }: CreativeFormat): string {
  return `${Object.values(plain).join(' ')} ${videos.map(keyOf).join(';')}`;
}

function creativeFormatOf(creative: Creative, app: App, { hasIcon, videos }: NativeParts): CreativeFormat {
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
    hasIcon,
    videos,
  };
}
