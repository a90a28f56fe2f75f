import { ActionIcon } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconChartLine } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { approvalsQuery } from '../../entities/campaigns/approval-queries.ts';
import { draftsQuery } from '../../entities/campaigns/draft-queries.ts';
import { comparisonWords } from '../../lib/format/comparison-text.ts';
import { chartGroup, isHourly } from '../../lib/format/dates.ts';
import { dataOrUnknown, isKnown, mapped, useLoadable } from '../../lib/loadable.ts';
import { type Group, highlightsQuery } from '../../entities/reports/queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { useToday } from '../../lib/today.ts';
import { AfterPaint } from '../../ui/layout/after-paint.tsx';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { LazyTooltip } from '../../ui/layout/lazy-tooltip.tsx';
import { ButtonLink } from '../../ui/layout/links.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { CampaignTable } from './table/campaign-table.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { HighlightStrip } from './highlights/highlight-strip.tsx';
import { reEngagementText } from './highlights/highlights.ts';
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
        {isKnown(figures) && figures.data.re_engagement && (
          <Caption mb="md">{reEngagementText(figures.data.re_engagement)}</Caption>
        )}
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

/** Link to the drafts of campaigns, where there are any, or where that could not be loaded. */
function DraftsLink() {
  const count = dataOrUnknown(mapped(useLoadable(draftsQuery), ({ length }) => length));
  if (count === 'loading' || count === 0) return null;
  return (
    <ButtonLink to="/campaigns/drafts" variant="default">
      Drafts{count !== 'failed' && ` (${count})`}
    </ButtonLink>
  );
}

/** Link to requests for approval, where there are open ones, or where that could not be loaded. */
function ApprovalsLink() {
  const open = dataOrUnknown(
    mapped(useLoadable(approvalsQuery), (known) => known.filter(({ state }) => state === 'open').length),
  );
  if (open === 'loading' || open === 0) return null;
  return (
    <ButtonLink to="/campaigns/approvals" variant="default">
      Approvals{open !== 'failed' && ` (${open})`}
    </ButtonLink>
  );
}

/** Whether the chart above the campaigns is shown, stored in this browser. */
function useChartShown() {
  return useLocalStorage({
    key: 'bidwell.chart-shown',
    defaultValue: true,
    getInitialValueInEffect: false,
  });
}

/** Shows or hides the chart; without it ten campaigns fit on a laptop's screen. */
function ChartToggle({ isShown, onChange }: { isShown: boolean; onChange: (isShown: boolean) => void }) {
  const label = isShown ? 'Hide chart' : 'Show chart';
  return (
    <LazyTooltip label={label}>
      <ActionIcon
        variant={isShown ? 'light' : 'default'}
        size={36}
        aria-label={label}
        onClick={() => onChange(!isShown)}
      >
        <IconChartLine size={18} />
      </ActionIcon>
    </LazyTooltip>
  );
}
