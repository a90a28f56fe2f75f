import type uPlot from 'uplot';
import { axisSteps, fineAxisSteps } from './chart-scale.ts';
import { AXIS_WIDTH } from './chart-size.ts';

/** A line of the chart, on the left or the right axis. */
export interface ChartSeries {
  label: string;
  values: readonly (number | null)[];
  format: (value: number | null) => string;
  axis: 'left' | 'right';
  /** Whether its axis has steps below one where all values are small. */
  isFine?: boolean;
}

interface ChartLook {
  buckets: readonly string[];
  /** One or two series. */
  series: readonly ChartSeries[];
  /** What the buckets are: dates or times. */
  bucketLabel: string;
  /** Colour of the first series. */
  accent: string;
  isDark: boolean;
}

const FONT = '12px "Inter Variable", system-ui, sans-serif';
/** Width of a character of {@link FONT}, and the least gap between labels, in pixels. */
const CHARACTER_WIDTH = 7;
const LABEL_GAP = 12;
const colours = {
  light: { second: '#c4660a', text: '#5c5f66', grid: '#eceef1' },
  dark: { second: '#f0a04b', text: '#a6a7ab', grid: '#2e2e33' },
};

/** The options of a chart except for its size. */
export function chartOptions({
  buckets,
  series,
  bucketLabel,
  accent,
  isDark,
}: ChartLook): Omit<uPlot.Options, 'width' | 'height'> {
  const { second, text, grid } = colours[isDark ? 'dark' : 'light'];
  return {
    padding: [12, 8, 0, 0],
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
      ...series.map((one, index) => ({
        label: one.label,
        scale: one.axis,
        stroke: index === 0 ? accent : second,
        width: 2,
        fill: index === 0 ? `${accent}14` : undefined,
        points: { show: buckets.length < 2, size: 6 },
        value: (_plot: uPlot, value: number | null) => one.format(value),
      })),
    ],
  };
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

/** Shows the last point in the legend while the pointer is outside the chart. */
function showLastPoint(plot: uPlot): void {
  const { idx } = plot.cursor;
  if (idx === null || idx === undefined) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}
