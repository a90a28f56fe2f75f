import { COHORT_DAYS, type CohortMetric, type CohortReport } from '@bidwell/contract/reports/cohorts';
import { NativeSelect } from '@mantine/core';
import { Suspense, useMemo } from 'react';
import { type Loadable, knownData } from '../../../lib/loadable.ts';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import type { ChartSeries } from '../../../ui/chart/chart-options.ts';
import { ChartSkeleton } from '../../../ui/chart/chart-skeleton.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { cohortMetrics, figureOf, isOfRevenue, perRevenue } from './cohort-metrics.ts';
import { forecastText } from './forecast-text.ts';

const TimeChart = lazyPart(() => import('../../../ui/chart/time-chart.tsx'), 'TimeChart');
const HEIGHT = 240;
/** Most rows that can be chosen. */
const CHOICES_MAX = 200;
const TOTAL = '';
const buckets = COHORT_DAYS.map((day) => `D${day}`);

interface CohortCurveProps {
  figures: Loadable<CohortReport>;
  metric: CohortMetric;
  /** Cohort and value of the row that is drawn; undefined for the total. */
  curve: string | undefined;
  onCurveChange: (curve: string | undefined) => void;
  labelOf: (cohort: string) => string;
}

/** A metric of one row or of the total by days since the install, with the range of each value. */
export function CohortCurve({ figures, metric, curve, onCurveChange, labelOf }: CohortCurveProps) {
  const report = knownData(figures);
  const row = report?.rows.find(({ cohort, value }) => keyOf(cohort, value) === curve);
  const name = row ? `${labelOf(row.cohort)} ${row.name}`.trim() : 'All installs';
  const series = useMemo(() => {
    const of = row ?? report?.total;
    const expected = of && expectedLine(of, metric);
    return of ? [lineOf(of.cells, metric), ...(expected ? [expected] : [])] : [];
  }, [row, report, metric]);
  const loading = <ChartSkeleton height={HEIGHT} />;
  return (
    <Section
      title={`${cohortMetrics[metric].label} by days since the install`}
      actions={
        <NativeSelect
          aria-label="Curve of"
          size="xs"
          className="no-print"
          value={row ? curve : TOTAL}
          onChange={({ currentTarget: { value } }) => onCurveChange(value === TOTAL ? undefined : value)}
          data={[
            { value: TOTAL, label: 'All installs' },
            ...(report
              ? report.rows.slice(0, CHOICES_MAX).map((one) => ({
                  value: keyOf(one.cohort, one.value),
                  label: `${labelOf(one.cohort)} ${one.name}`.trim(),
                }))
              : []),
          ]}
        />
      }
    >
      <FigureFrame figures={figures} skeleton={loading} isSilent>
        <Suspense fallback={loading}>
          <TimeChart
            label={`${cohortMetrics[metric].label} by days since the install: ${name}`}
            buckets={buckets}
            series={series}
            bucketLabel="Day"
            height={HEIGHT}
          />
        </Suspense>
      </FigureFrame>
      {report?.forecast && isOfRevenue(metric) && <Caption mt="xs">{forecastText(report.forecast)}</Caption>}
    </Section>
  );
}

const keyOf = (cohort: string, value: string) => (value ? `${cohort} ${value}` : cohort);

function lineOf(cells: CohortReport['total']['cells'], metric: CohortMetric): ChartSeries {
  const { label, format } = cohortMetrics[metric];
  const found = cells.map((cell) => figureOf(cell, metric));
  const hasBand = found.some((figure) => figure !== null && figure.low !== null);
  return {
    label,
    values: found.map((figure) => figure?.value ?? null),
    format,
    axis: 'left',
    isFine: true,
    ...(hasBand && {
      band: {
        low: found.map((figure) => figure?.low ?? figure?.value ?? null),
        high: found.map((figure) => figure?.high ?? figure?.value ?? null),
      },
    }),
  };
}

/** The line from the last known day to day 30 that a young row is expected to have; null without a prediction. */
function expectedLine(of: CohortReport['total'], metric: CohortMetric): ChartSeries | null {
  const { expected, cells } = of;
  const times = perRevenue(of, metric);
  if (!expected || times === null) return null;
  const { label, format } = cohortMetrics[metric];
  const points = COHORT_DAYS.map((day, at) => {
    const point = expected.curve.find((one) => one.day === day);
    if (point) return { value: point.revenue * times, low: point.low * times, high: point.high * times };
    const value = day === expected.from_day ? (figureOf(cells[at]!, metric)?.value ?? null) : null;
    return { value, low: value, high: value };
  });
  return {
    label: `Expected ${label}`,
    values: points.map(({ value }) => value),
    format,
    axis: 'left',
    isDashed: true,
    band: { low: points.map(({ low }) => low), high: points.map(({ high }) => high) },
  };
}
