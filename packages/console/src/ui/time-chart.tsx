import { Box, VisuallyHidden, useComputedColorScheme, useMantineTheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { axisSteps } from './chart-scale.ts';
import classes from './time-chart.module.css';

/** A line of the chart, on the left or the right axis. */
export interface ChartSeries {
  label: string;
  values: readonly (number | null)[];
  format: (value: number | null) => string;
  axis: 'left' | 'right';
}

/** Height of the legend, in pixels. */
const LEGEND_HEIGHT = 36;

interface TimeChartProps {
  /** Describes the chart to screen readers. */
  label: string;
  /** Label of each point, for example W12 2026. */
  buckets: readonly string[];
  /** One or two series. */
  series: readonly ChartSeries[];
  height?: number;
}

/** Shows the newest point in the legend while the pointer is outside the chart. */
function restOnLast(plot: uPlot): void {
  const { idx } = plot.cursor;
  if (idx === null || idx === undefined) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

/**
 * Lines over time on two axes. A visually hidden table holds the figures for screen readers, which cannot read a
 * canvas.
 */
export function TimeChart({ label, buckets, series, height = 260 }: TimeChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const theme = useMantineTheme();
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false });
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const colours = [
      theme.colors['accent']![scheme === 'dark' ? 4 : 6]!,
      scheme === 'dark' ? '#f0a04b' : '#c4660a',
    ];
    const font = '12px "Inter Variable", system-ui, sans-serif';
    const text = scheme === 'dark' ? '#a6a7ab' : '#5c5f66';
    const grid = { stroke: scheme === 'dark' ? '#2e2e33' : '#eceef1', width: 1 };
    const chart = new uPlot(
      {
        width: element.clientWidth,
        height,
        padding: [12, 8, 0, 0],
        legend: { show: true, live: true },
        cursor: { points: { size: 7 } },
        hooks: { ready: [restOnLast], setCursor: [restOnLast] },
        scales: {
          x: { time: false },
          ...Object.fromEntries(
            series.map((one) => [
              one.axis,
              { range: (_plot: uPlot, _min: number, max: number) => [0, axisSteps(max || 0).at(-1)!] },
            ]),
          ),
        },
        axes: [
          {
            stroke: text,
            font,
            size: 30,
            grid: { show: false },
            ticks: { show: false },
            values: (_plot, places) =>
              places.map((place) => (Number.isInteger(place) ? (buckets[place] ?? '') : '')),
          },
          ...series.map((one, index) => ({
            scale: one.axis,
            side: one.axis === 'left' ? 3 : 1,
            stroke: text,
            font,
            size: 64,
            grid: index === 0 ? grid : { show: false },
            ticks: { show: false },
            splits: (_plot: uPlot, _axis: number, _min: number, max: number) =>
              axisSteps(max).filter((value) => value <= max),
            values: (_plot: uPlot, places: number[]) => places.map((place) => one.format(place)),
          })),
        ],
        series: [
          { label: 'Date', value: (_plot, place) => (place === null ? '-' : (buckets[place] ?? '-')) },
          ...series.map((one, index) => ({
            label: one.label,
            scale: one.axis,
            stroke: colours[index]!,
            width: 2,
            fill: index === 0 ? `${colours[0]}14` : undefined,
            points: { show: buckets.length < 2, size: 6 },
            value: (_plot: uPlot, value: number | null) => one.format(value),
          })),
        ],
      },
      [buckets.map((_, place) => place), ...series.map((one) => [...one.values])],
      element,
    );
    const resize = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }));
    resize.observe(element);
    return () => {
      resize.disconnect();
      chart.destroy();
    };
  }, [buckets, series, height, scheme, theme]);

  return (
    <figure style={{ margin: 0 }}>
      <Box ref={box} aria-hidden className={classes['chart']} style={{ minHeight: height + LEGEND_HEIGHT }} />
      <VisuallyHidden>
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th>Date</th>
              {series.map((one) => (
                <th key={one.label}>{one.label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets.map((bucket, place) => (
              <tr key={`${place} ${bucket}`}>
                <th>{bucket}</th>
                {series.map((one) => (
                  <td key={one.label}>{one.format(one.values[place] ?? null)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
