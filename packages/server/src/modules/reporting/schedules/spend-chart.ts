const WIDTH = 640;
const HEIGHT = 160;
/** Share of a bar's place that is empty. */
const GAP = 0.25;
/** Least height of a bar that is not 0. */
const BAR_MIN = 2;
const BAR_COLOR = '#2f6fed';
const LINE_COLOR = '#8a919c';

/** Size of a chart, in pixels. */
export const CHART_SIZE = { width: WIDTH, height: HEIGHT } as const;

/**
 * Bars of values that are not negative, as SVG without any text, since servers may have no fonts: the mail says in words what they
 * are of. Without a background, for mails that are read light or dark. Pure.
 */
export function barChart(values: readonly number[]): string {
  const highest = Math.max(...values, 0);
  const step = WIDTH / Math.max(values.length, 1);
  const bars = values.map((value, index) => {
    if (value <= 0) return '';
    const height = Math.max(BAR_MIN, (value / highest) * (HEIGHT - 4));
    const x = (index * step + (step * GAP) / 2).toFixed(2);
    const y = (HEIGHT - 1 - height).toFixed(2);
    return `<rect x="${x}" y="${y}" width="${(step * (1 - GAP)).toFixed(2)}" height="${height.toFixed(2)}" fill="${BAR_COLOR}"/>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">`,
    ...bars,
    `<rect y="${HEIGHT - 1}" width="${WIDTH}" height="1" fill="${LINE_COLOR}"/>`,
    '</svg>',
  ].join('');
}
