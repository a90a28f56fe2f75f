import type { Forecast, ForecastPoint } from '@bidwell/contract/insight/forecast';
import { VisuallyHidden } from '@mantine/core';
import { formatMoney, formatPercent } from '../../../lib/format/format.ts';
import { countText, percentText } from './forecast-text.ts';
import classes from './forecast-chart.module.css';

const WIDTH = 320;
const HEIGHT = 150;
const BOX = { left: 40, right: 12, top: 12, bottom: 26 };
/** Possible maxima of the chart; half of each is a whole number of percents as well. */
const SHARES = [0.1, 0.2, 0.4, 0.6, 0.8, 1];

/** The share of requests that is won over the bid, with the present bid marked. A hidden table has the figures. */
export function ForecastChart({ curve }: { curve: NonNullable<Forecast['curve']> }) {
  const { points, present, price } = curve;
  const marked = points[present]!;
  const [first, last] = [points[0]!, points.at(-1)!];
  const x = ({ bid }: ForecastPoint): number => {
    const share = Math.log(bid / first.bid) / Math.log(last.bid / first.bid);
    return BOX.left + (Number.isFinite(share) ? share : 0.5) * (WIDTH - BOX.left - BOX.right);
  };
  const top = Math.max(0.01, last.win_share);
  const ceiling = SHARES.find((share) => share >= top) ?? 1;
  const y = (share: number): number =>
    HEIGHT - BOX.bottom - (share / ceiling) * (HEIGHT - BOX.top - BOX.bottom);
  const line = points.map((point) => `${x(point).toFixed(1)},${y(point.win_share).toFixed(1)}`).join(' ');
  return (
    <figure className={classes['figure']}>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} className={classes['chart']} aria-hidden>
        {[0, ceiling / 2, ceiling].map((share) => (
          <g key={share}>
            <line
              x1={BOX.left}
              x2={WIDTH - BOX.right}
              y1={y(share)}
              y2={y(share)}
              className={classes['grid']}
            />
            <text x={BOX.left - 6} y={y(share) + 4} textAnchor="end" className={classes['text']}>
              {formatPercent(share * 100, 0)}
            </text>
          </g>
        ))}
        <polyline points={line} className={classes['line']} />
        <line x1={x(marked)} x2={x(marked)} y1={y(0)} y2={y(marked.win_share)} className={classes['mark']} />
        <circle cx={x(marked)} cy={y(marked.win_share)} r={4.5} className={classes['point']} />
        <text x={BOX.left} y={HEIGHT - 8} className={classes['text']}>
          {formatMoney(first.bid)}
        </text>
        <text x={x(marked)} y={HEIGHT - 8} textAnchor="middle" className={classes['present']}>
          {formatMoney(marked.bid)}
        </text>
        <text x={WIDTH - BOX.right} y={HEIGHT - 8} textAnchor="end" className={classes['text']}>
          {formatMoney(last.bid)}
        </text>
      </svg>
      <VisuallyHidden>
        <table>
          <caption>Share of the matching requests that is won, by the bid</caption>
          <thead>
            <tr>
              <th>{price === 'bet_cpi' ? 'Cost per install' : 'CPM bid'}</th>
              <th>Won</th>
              <th>Impressions a day</th>
              <th>Spend a day</th>
            </tr>
          </thead>
          <tbody>
            {points.map((point, index) => (
              <tr key={point.bid} aria-current={index === present || undefined}>
                <th>
                  {formatMoney(point.bid)}
                  {index === present && ', the present bid'}
                </th>
                <td>{percentText(point.win_share)}</td>
                <td>{countText(point.impressions)}</td>
                <td>{formatMoney(point.spend)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </figure>
  );
}
