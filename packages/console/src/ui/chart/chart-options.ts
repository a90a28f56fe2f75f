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

interface ChartLook {
  buckets: readonly string[];
  /** One or two series. */
  series: readonly ChartSeries[];
  /** What the buckets are: dates or times. */
  bucketLabel: string;
  isDark: boolean;
}

const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Width of a character of {@link FONT}, and the least gap between labels, in pixels. */
const CHARACTER_WIDTH = 7;
const LABEL_GAP = 12;
/** Not those of the brand, which may be that of the second series. */
const colours = {
  light: { first: '#2f6feb', second: '#c4660a', text: '#5c5f66', grid: '#eceef1' },
  dark: { first: '#6795f0', second: '#f0a04b', text: '#a6a7ab', grid: '#2e2e33' },
};

/** The options of a chart except for its size. */
export function chartOptions({
  buckets,
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
      { label: bucketLabel, value: (_plot, index) => (index === null ? '-' : (buckets[index] ?? '-')) },
      ...series.flatMap((one, index) => [
        {
          label: one.label,
          scale: one.axis,
          stroke: colourOf(index),
          width: 2,
          fill: index === 0 && !one.band ? `${first}14` : undefined,
          dash: one.isDashed ? DASH : undefined,
          points: { show: buckets.length < 2, size: 6 },
          value: (_plot: uPlot, value: number | null) => one.format(value),
        },
        ...(one.band ? [limitOfBand(one.axis), limitOfBand(one.axis)] : []),
      ]),
    ],
    bands: bandsOf(series, (index) => `${colourOf(index)}2e`),
  };
}

/** The values of a chart in the order of its series: x, then each line, followed by the limits of its band. */
export function chartData(buckets: readonly string[], series: readonly ChartSeries[]): uPlot.AlignedData {
  return [
    buckets.map((_, index) => index),
    ...series.flatMap(({ values, band }) =>
      [values, ...(band ? [band.high, band.low] : [])].map((of) => [...of]),
    ),
  ];
}

const DASH = [6, 4];

/** A limit of a band is not drawn itself, and its class hides it from the legend. */
const limitOfBand = (scale: string): uPlot.Series => ({
  label: '',
  scale,
  width: 0,
  points: { show: false },
  class: 'u-band',
});

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
