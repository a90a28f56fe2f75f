import type uPlot from 'uplot';
import { axisSteps, fineAxisSteps } from './chart-scale.ts';
import { AXIS_WIDTH } from './chart-size.ts';

/** A line of the chart, on the left or the right axis. */
export interface ChartSeries {
  label: string;
  values: readonly (number | null)[];
  format: (value: number | null) => string;
  axis: 'left' | 'right';
  /** The range of each value, drawn as a band around the line. */
  band?: { low: readonly (number | null)[]; high: readonly (number | null)[] } | undefined;
  /** Whether the line is dashed. */
  isDashed?: boolean;
  /** Whether its axis has steps below one where all values are small. */
  isFine?: boolean;
}

/** The buckets that have only a part of their figures, by index: which part, for example `so far`. */
export type ChartParts = ReadonlyMap<number, string>;

/** What a chart draws. */
export interface ChartLook {
  /** Label of each point, for example W12 2026. */
  buckets: readonly string[];
  /** Buckets with only a part of their figures. */
  parts: ChartParts;
  /** One or two series. */
  series: readonly ChartSeries[];
  /** Kind of the buckets: dates or times. */
  bucketLabel: string;
  isDark: boolean;
}

const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Width of a character of {@link FONT}, and the least gap between labels, in pixels. */
const CHARACTER_WIDTH = 7;
const LABEL_GAP = 12;
/** Not the colours of the brand, which may be the colour of the second series. */
const colours = {
  light: { first: '#2f6feb', second: '#c4660a', text: '#5c5f66', grid: '#eceef1' },
  dark: { first: '#6795f0', second: '#f0a04b', text: '#a6a7ab', grid: '#2e2e33' },
};

/** The options of a chart except for its size. */
export function chartOptions({
  buckets,
  parts,
  series,
  bucketLabel,
  isDark,
}: ChartLook): Omit<uPlot.Options, 'width' | 'height'> {
  const { first, second, text, grid } = colours[isDark ? 'dark' : 'light'];
  const colourOf = (index: number) => (index === 0 ? first : second);
  return {
    padding: [12, 14, 0, 0],
    legend: { show: true, live: true },
    cursor: { points: { size: 7 } },
    hooks: { ready: [showLastPoint], setCursor: [showLastPoint] },
    scales: {
      x: { time: false },
      ...Object.fromEntries(series.map((one) => [one.axis, { range: axisRange(one) }])),
    },
    axes: [
      dateAxis(buckets, text),
      ...series
        .filter(({ axis }, index) => series.findIndex((one) => one.axis === axis) === index)
        .map((one, index) => valueAxis(one, text, index === 0 ? grid : undefined)),
    ],
    series: [
      { label: bucketLabel, value: (_plot, index) => (index === null ? '-' : nameOf(buckets, parts, index)) },
      ...series.flatMap((one, index) => [
        {
          label: one.label,
          scale: one.axis,
          stroke: colourOf(index),
          width: 2,
          fill: index === 0 && !one.band ? `${first}14` : undefined,
          dash: one.isDashed ? DASH : undefined,
          points: { show: buckets.length < 2, size: 6 },
          // The value of a bucket with a part of its figures is in the line of these.
          value: (_plot: uPlot, value: number | null, _of: number, at: number | null) =>
            one.format(at === null ? value : (one.values[at] ?? null)),
        },
        ...(one.band ? [hiddenLine(one.axis), hiddenLine(one.axis)] : []),
      ]),
      ...(parts.size === 0 ? [] : series.map((one, index) => partialLine(one, colourOf(index), parts))),
    ],
    bands: bandsOf(series, (index) => `${colourOf(index)}2e`),
  };
}

/**
 * The values of a chart in the order of its series: x, then each line, followed by the limits of its band, and at last, where
 * buckets have only a part of their figures, the line to each of these.
 */
export function chartData(
  buckets: readonly string[],
  series: readonly ChartSeries[],
  parts: ChartParts,
): uPlot.AlignedData {
  const isNear = (index: number) => parts.has(index - 1) || parts.has(index) || parts.has(index + 1);
  return [
    buckets.map((_, index) => index),
    ...series.flatMap(({ values, band }) => [
      values.map((value, index) => (parts.has(index) ? null : value)),
      ...(band ? [[...band.high], [...band.low]] : []),
    ]),
    ...(parts.size === 0
      ? []
      : series.map(({ values }) => values.map((value, index) => (isNear(index) ? value : null)))),
  ];
}

/** A bucket with the part of it that has figures: `Nov 28, so far`. */
export function nameOf(buckets: readonly string[], parts: ChartParts, index: number): string {
  const part = parts.get(index);
  return `${buckets[index] ?? '-'}${part === undefined ? '' : `, ${part}`}`;
}

const DASH = [6, 4];

/** The limit of a band is not drawn itself, and its class hides it from the legend. */
const hiddenLine = (scale: string): uPlot.Series => ({
  label: '',
  scale,
  width: 0,
  points: { show: false },
  class: 'u-band',
});

const PARTIAL_DASH = [3, 4];

/** The dashed line to a bucket that has only a part of its figures, which has an empty circle: it is no fall. */
function partialLine({ axis }: ChartSeries, colour: string, parts: ChartParts): uPlot.Series {
  return {
    ...hiddenLine(axis),
    width: 2,
    stroke: colour,
    dash: PARTIAL_DASH,
    points: { show: true, size: 7, width: 2, fill: 'transparent', filter: () => [...parts.keys()] },
  };
}

function bandsOf(series: readonly ChartSeries[], fillOf: (index: number) => string): uPlot.Band[] {
  const bands: uPlot.Band[] = [];
  let at = 1;
  for (const [index, { band }] of series.entries()) {
    if (band) bands.push({ series: [at + 1, at + 2], fill: fillOf(index) });
    at += band ? 3 : 1;
  }
  return bands;
}

const stepsOf = ({ isFine }: ChartSeries) => (isFine ? fineAxisSteps : axisSteps);

function axisRange(series: ChartSeries): uPlot.Scale.Range {
  return (_plot, _min, max) => [0, stepsOf(series)(max || 0).at(-1)!];
}

function dateAxis(buckets: readonly string[], stroke: string): uPlot.Axis {
  return {
    stroke,
    font: FONT,
    size: 30,
    space: CHARACTER_WIDTH * Math.max(0, ...buckets.map(({ length }) => length)) + LABEL_GAP,
    grid: { show: false },
    ticks: { show: false },
    values: (_plot, indexes) =>
      indexes.map((index) => (Number.isInteger(index) ? (buckets[index] ?? '') : '')),
  };
}

/** Room for the longest value. */
function axisWidth(values: readonly string[]): number {
  const longest = Math.max(0, ...values.map(({ length }) => length));
  return Math.max(AXIS_WIDTH, CHARACTER_WIDTH * longest + LABEL_GAP);
}

/** The axis of a series, with grid lines if a colour is given for them. */
function valueAxis(series: ChartSeries, stroke: string, gridColour: string | undefined): uPlot.Axis {
  const { axis, format } = series;
  return {
    scale: axis,
    side: axis === 'left' ? 3 : 1,
    stroke,
    font: FONT,
    size: (_plot, values) => axisWidth(values ?? []),
    grid: gridColour ? { stroke: gridColour, width: 1 } : { show: false },
    ticks: { show: false },
    splits: (_plot, _axis, _min, max) => stepsOf(series)(max).filter((value) => value <= max * 1.0001),
    values: (_plot, values) => values.map((value) => format(value)),
  };
}

/** Shows the last point that has a value in the legend while the pointer is outside the chart. */
function showLastPoint(plot: uPlot): void {
  const { idx } = plot.cursor;
  if (idx !== null && idx !== undefined) return;
  const [xs, ...lines] = plot.data;
  const known = [...xs].findLastIndex((_, at) => lines.some((values) => typeof values[at] === 'number'));
  plot.setLegend({ idx: known < 0 ? xs.length - 1 : known }, false);
}
