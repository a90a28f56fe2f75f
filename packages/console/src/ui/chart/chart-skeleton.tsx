import type { CSSProperties } from 'react';
import { AXIS_WIDTH, LEGEND_HEIGHT } from './chart-size.ts';
import classes from './chart-skeleton.module.css';

interface ChartSkeletonProps {
  /** Height of the chart in pixels, without its legend. */
  height: number;
  /** Whether the chart has a second axis, on the right. */
  hasRightAxis?: boolean;
}

const LINES = 5;

/** In place of a chart while it loads: its axes, its grid and its legend, of the same size. */
export function ChartSkeleton({ height, hasRightAxis = false }: ChartSkeletonProps) {
  const style = {
    '--axis': `${AXIS_WIDTH}px`,
    '--legend': `${LEGEND_HEIGHT}px`,
    height: height + LEGEND_HEIGHT,
  };
  return (
    <div className={classes['chart']} style={style as CSSProperties} data-skeleton="chart" aria-hidden>
      <div className={classes['plot']} data-right-axis={hasRightAxis || undefined}>
        {Array.from({ length: LINES }, (_, line) => (
          <div key={line} className={classes['line']} />
        ))}
      </div>
      <div className={classes['legend']} />
    </div>
  );
}
