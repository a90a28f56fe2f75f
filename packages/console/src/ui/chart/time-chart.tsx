import { Box, VisuallyHidden, useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { type ChartLook, type ChartParts, chartData, chartOptions, nameOf } from './chart-options.ts';
import { LEGEND_HEIGHT } from './chart-size.ts';
import classes from './time-chart.module.css';

/** What is drawn must be stable. Without `parts` all buckets are whole, without `bucketLabel` they are dates. */
interface TimeChartProps
  extends Pick<ChartLook, 'buckets' | 'series'>, Partial<Pick<ChartLook, 'parts' | 'bucketLabel'>> {
  /** Describes the chart to screen readers. */
  label: string;
  height?: number;
  /** Called after each drawing. Must be stable: a new function redraws the chart. */
  onDraw?: (layout: ChartLayout) => void;
}

const WHOLE: ChartParts = new Map();

/** Where a chart has its points, in pixels from its left and top edge. */
export interface ChartLayout {
  /** By bucket. */
  xs: readonly number[];
  /** Bottom of the plotting area. */
  bottom: number;
}

/**
 * Lines over time on one or two axes. A visually hidden table holds the figures for screen readers, which cannot read a
 * canvas.
 */
export function TimeChart({
  label,
  buckets,
  parts = WHOLE,
  series,
  bucketLabel = 'Date',
  height = 260,
  onDraw,
}: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const size = { width: element.clientWidth, height };
    const { hooks, ...options } = chartOptions({
      buckets,
      parts,
      series,
      bucketLabel,
      isDark: scheme === 'dark',
    });
    const drawn = (plot: uPlot) =>
      onDraw?.({
        xs: buckets.map((_, index) => plot.over.offsetLeft + plot.valToPos(index, 'x')),
        bottom: plot.over.offsetTop + plot.over.offsetHeight,
      });
    const chart = new uPlot(
      { ...size, ...options, hooks: { ...hooks, draw: [drawn] } },
      chartData(buckets, series, parts),
      element,
    );
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [buckets, parts, series, bucketLabel, height, scheme, onDraw]);

  return (
    <figure style={{ margin: 0 }}>
      <Box ref={box} aria-hidden className={classes['chart']} style={{ minHeight: height + LEGEND_HEIGHT }} />
      <VisuallyHidden>
        <ChartTable label={label} buckets={buckets} parts={parts} series={series} bucketLabel={bucketLabel} />
      </VisuallyHidden>
    </figure>
  );
}

function ChartTable({
  label,
  buckets,
  parts,
  series,
  bucketLabel,
}: Required<Omit<TimeChartProps, 'height' | 'onDraw'>>) {
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th>{bucketLabel}</th>
          {series.map((one) => (
            <th key={one.label}>{one.label}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map((bucket, index) => (
          <tr key={`${index} ${bucket}`}>
            <th>{nameOf(buckets, parts, index)}</th>
            {series.map((one) => (
              <td key={one.label}>
                {one.format(one.values[index] ?? null)}
                {one.band &&
                  ` (${one.format(one.band.low[index] ?? null)} to ${one.format(one.band.high[index] ?? null)})`}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
