import type { Creative, Shape } from './types.ts';

export type Shaper = (creative: Creative) => Shape;

/** Gives creatives their shapes: equal ones the very same object. Whoever compiles a snapshot takes a new one. */
export function shaper(): Shaper {
  const shapes = new Map<string, Shape>();
  return (creative) => {
    const shape = shapeOf(creative);
    const key = Object.values(shape).join(' ');
    const known = shapes.get(key);
    if (!known) shapes.set(key, shape);
    return known ?? shape;
  };
}

function shapeOf(creative: Creative): Shape {
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
  };
}
