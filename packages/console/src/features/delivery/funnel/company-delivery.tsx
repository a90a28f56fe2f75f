import type { CompanyDelivery as Report, RankedFinding } from '@bidwell/contract/insight/company-delivery';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { Stack } from '@mantine/core';
import { useState } from 'react';
import { knownAs, knownData, mapped, useLoadable } from '../../../lib/loadable.ts';
import { formatNumber } from '../../../lib/format/format.ts';
import { companyDeliveryQuery, rankedFindingsQuery } from '../../../entities/insight/queries.ts';
import { type RangeChoice, useRangeSearch } from '../../../lib/range-search.ts';
import { DateRangePicker } from '../../../ui/form/date-range-picker.tsx';
import { SmallButton } from '../../../ui/layout/buttons.tsx';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { FindingList, FindingListSkeleton } from '../../../entities/insight/finding-list.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { PageHeader } from '../../../ui/layout/page-header.tsx';
import { SearchSelect } from '../../../ui/form/picker/search-select.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { COUNTING_NOTE, FunnelLoading, FunnelReport, NoRequests } from './funnel-report.tsx';
import { LostRequestDialog } from './lost-request-dialog.tsx';

/** Findings that are shown at first. */
const SHOWN = 8;

/** Why the campaigns of the company spend what they spend, and where their bid requests were lost. */
export function CompanyDelivery() {
  const dates = useRangeSearch();
  const { range } = dates;
  const findings = useLoadable(rankedFindingsQuery(range));
  const figures = useLoadable(companyDeliveryQuery(range));
  return (
    <>
      <PageHeader
        title="Delivery of all campaigns"
        description="What limits the active campaigns, and where bid requests were lost."
        actions={<DateRangePicker choice={dates} />}
      />
      <Stack>
        <Section title="Findings">
          <FigureFrame figures={findings} what="The findings" skeleton={<FindingListSkeleton />}>
            {(known) => (
              <Findings
                {...known}
                hasRequests={knownData(mapped(figures, ({ total }) => total.seen.value > 0))}
              />
            )}
          </FigureFrame>
        </Section>
        <FigureFrame figures={figures} skeleton={<FunnelLoading />}>
          {(report) => <Funnels report={report} range={range} />}
        </FigureFrame>
      </Stack>
    </>
  );
}

function noFindingsTitle(hasRequests: boolean | undefined): string {
  if (hasRequests === undefined) return 'No findings';
  return hasRequests ? 'Nothing limits the active campaigns' : 'Nothing is known about these days';
}

interface FindingsProps {
  findings: readonly RankedFinding[];
  total: number;
  /** Whether any bid request of the range was recorded; undefined while that is not known. */
  hasRequests: boolean | undefined;
}

function Findings({ findings, total, hasRequests }: FindingsProps) {
  const [isWhole, setIsWhole] = useState(false);
  if (findings.length === 0)
    return (
      <EmptyState
        title={noFindingsTitle(hasRequests)}
        text="The reasons why active campaigns lose bid requests are listed here, the most costly first."
      />
    );
  const shown = isWhole ? findings : findings.slice(0, SHOWN);
  return (
    <Stack align="flex-start">
      <FindingList
        findings={shown.map(({ campaign, ...finding }) => ({
          ...finding,
          of: campaign && (
            <AnchorLink size="xs" to="/campaigns/delivery" search={{ uuid: campaign.uuid }}>
              {campaign.name}
            </AnchorLink>
          ),
        }))}
      />
      {findings.length > shown.length && (
        <SmallButton onClick={() => setIsWhole(true)}>
          Show {formatNumber(findings.length - shown.length)} more
        </SmallButton>
      )}
      {isWhole && total > findings.length && (
        <Caption>
          The first {formatNumber(findings.length)} of {formatNumber(total)} findings.
        </Caption>
      )}
    </Stack>
  );
}

function Funnels({ report, range }: { report: Report; range: RangeChoice['range'] }) {
  const [campaign, setCampaign] = useState<string | null>(null);
  const [exit, setExit] = useState<FunnelExit | null>(null);
  const chosen = report.campaigns.find(({ uuid }) => uuid === campaign);
  if (report.total.seen.value === 0 && report.total.impressions === 0) return <NoRequests range={range} />;
  return (
    <>
      <FunnelReport
        funnel={chosen ?? report.total}
        hasBothKinds={chosen === undefined}
        choice={
          report.campaigns.length > 1 && (
            <SearchSelect
              label="Campaign"
              hideLabel
              placeholder="All campaigns"
              clearable
              options={knownAs(report.campaigns.map(({ uuid, name }) => ({ value: uuid, label: name })))}
              value={campaign}
              onChange={setCampaign}
              emptyText="No campaign"
            />
          )
        }
        // A sampled request is searched for in one campaign at a time.
        onExit={chosen && setExit}
        note={COUNTING_NOTE}
      />
      {chosen && exit && (
        <LostRequestDialog
          campaignUuid={chosen.uuid}
          adset={null}
          exit={exit}
          onClose={() => setExit(null)}
        />
      )}
    </>
  );
}
