import { useNavigate, useSearch } from '@tanstack/react-router';
import { comparisonWords } from '../../lib/format/comparison-text.ts';
import { chartGroup, isHourly } from '../../lib/format/dates.ts';
import { dataOrUnknown, isKnown, useLoadable } from '../../lib/loadable.ts';
import { type Group, highlightsQuery } from '../../entities/reports/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { useToday } from '../../lib/today.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CampaignTable } from './table/campaign-table.tsx';
import { ChartToggle, useChartShown } from './highlights/chart-toggle.tsx';
import { HighlightStrip } from './highlights/highlight-strip.tsx';
import { ApprovalsLink } from './approvals/approvals-link.tsx';
import { DraftsLink } from './drafts/drafts-link.tsx';
import { NewCampaign } from './new-campaign.tsx';
import { OverviewChart } from './highlights/overview-chart.tsx';

/** Heights with seven days and a few campaigns, in pixels, to limit layout shift while loading. */
const CHART_HEIGHT = 382;
const TABLE_HEIGHT = 420;

/** Home of the console: highlights, chart and campaigns of the selected range. */
export function CampaignsScreen() {
  const dates = useRangeSearch();
  const { range } = dates;
  const today = useToday();
  const navigate = useNavigate();
  const { group: requested } = useSearch({ strict: false }) as { group?: Group };
  const mayBeHourly = isHourly(range);
  const group = chartGroup(range, requested);
  const figures = useLoadable(highlightsQuery(range, group));
  const [isChartShown, setIsChartShown] = useChartShown();
  // Without campaigns there is nothing to draw, and the steps to the first one come at once.
  const campaigns = useLoadable(campaignsQuery);
  const hasCampaigns = !isKnown(campaigns) || campaigns.data.length > 0;
  return (
    <>
      <PageHeader
        title="Campaigns"
        actions={
          <>
            <DateRangePicker choice={dates} />
            <ButtonLink to="/campaigns/delivery" variant="default">
              Delivery
            </ButtonLink>
            <ChartToggle isShown={isChartShown} onChange={setIsChartShown} />
            <ApprovalsLink />
            <DraftsLink />
            <NewCampaign />
          </>
        }
      />
      <FigureFrame figures={figures} keepsChildren dims="marked" isSilent={isChartShown}>
        <HighlightStrip highlights={dataOrUnknown(figures)} comparison={comparisonWords(range, today)} />
      </FigureFrame>
      {isChartShown && hasCampaigns && (
        <AfterPaint height={CHART_HEIGHT}>
          <OverviewChart
            range={range}
            highlights={figures}
            group={group}
            mayBeHourly={mayBeHourly}
            onGroupChange={(value) =>
              void navigate({
                to: '.',
                search: (before: object) => ({ ...before, group: value }),
                replace: true,
              })
            }
          />
        </AfterPaint>
      )}
      <AfterPaint height={TABLE_HEIGHT}>
        <CampaignTable range={range} />
      </AfterPaint>
    </>
  );
}
