import { DATA_TYPES, dataText } from '../markup/native-parts.ts';
import type { AdsetRow, Creative, Shape } from './types.ts';

type App = AdsetRow['app'];
export type Shaper = (creative: Creative, app: App) => Shape;

/** Gives creatives their shapes: equal ones the very same object. Whoever compiles a snapshot takes a new one. */
export function shaper(): Shaper {
  const shapes = new Map<string, Shape>();
  return (creative, app) => {
    const shape = shapeOf(creative, app);
    const key = Object.values(shape).join(' ');
    const known = shapes.get(key);
    if (!known) shapes.set(key, shape);
    return known ?? shape;
  };
}

function shapeOf(creative: Creative, app: App): Shape {
  const { width, height, contentType, bytes } = creative.file;
  const { durationMs } = creative.type === 'Video' ? creative : { durationMs: 0 };
  return {
    type: creative.type,
    contentType,
    width,
    height,
    durationSeconds: Math.round(durationMs / 1000),
    // Bits in a millisecond are kilobits in a second.
    bitrateKbps: durationMs === 0 ? 0 : Math.ceil((bytes * 8) / durationMs / 100) * 100,
    dataTypes:
      creative.type === 'Native'
        ? Object.values(DATA_TYPES).filter((type) => dataText(type, creative, app) !== '')
        : [],
    hasIcon: creative.type === 'Native' && (app.iconLink !== null || width === height),
  };
}
