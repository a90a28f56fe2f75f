import { DATA_TYPES, dataText } from '../model/native-parts.ts';
import type { AdsetRow, Creative, Shape, ShapedCreative } from '../model/candidate.ts';

type App = AdsetRow['app'];
/** Adds the shape to a creative. `hasIcon`: the app has an icon, or the ad set an image that serves as one. */
export type Shaper = (creative: Creative, app: App, hasIcon: boolean) => ShapedCreative;

type Shaped = WeakMap<Creative, ShapedCreative>;

/** Creates a function that adds shapes to creatives. Equal shapes are the same object; results are memoised per app. */
export function shaper(): Shaper {
  const shapes = new Map<string, Shape>();
  const shaped = { with: new WeakMap<App, Shaped>(), without: new WeakMap<App, Shaped>() };
  const same = (shape: Shape): Shape => {
    const key = Object.values(shape).join(' ');
    const known = shapes.get(key);
    if (!known) shapes.set(key, shape);
    return known ?? shape;
  };
  return (creative, app, hasIcon) => {
    const byApp = hasIcon ? shaped.with : shaped.without;
    const ofApp = byApp.get(app) ?? new WeakMap<Creative, ShapedCreative>();
    byApp.set(app, ofApp);
    const known = ofApp.get(creative);
    if (known) return known;
    const fresh = { ...creative, shape: same(shapeOf(creative, app, hasIcon)) };
    ofApp.set(creative, fresh);
    return fresh;
  };
}

function shapeOf(creative: Creative, app: App, hasIcon: boolean): Shape {
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
