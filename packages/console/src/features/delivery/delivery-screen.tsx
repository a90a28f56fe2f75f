import type { DeliveryReport } from '@bidwell/contract/insight/delivery-report';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { Stack } from '@mantine/core';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { isKnown, knownAs, useLoadable } from '../../lib/loadable.ts';
import { campaignQuery } from '../../entities/campaigns/queries.ts';
import { deliveryQuery, findingsQuery } from '../../entities/insight/queries.ts';
import { type RangeChoice, useRangeSearch } from '../../lib/range-search.ts';
import { DateRangePicker } from '../../ui/form/date-range-picker.tsx';
import { LoadErrorScreen } from '../../ui/layout/error-screens.tsx';
import { FigureFrame } from '../../ui/chart/figure-frame.tsx';
import { FindingList, FindingListSkeleton } from '../../entities/insight/finding-list.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { SearchSelect } from '../../ui/form/picker/search-select.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { CampaignTabs } from './campaign-tabs.tsx';
import { CompanyDelivery } from './funnel/company-delivery.tsx';
import { COUNTING_NOTE, FunnelLoading, FunnelReport, NoRequests } from './funnel/funnel-report.tsx';
import { LostRequestDialog } from './funnel/lost-request-dialog.tsx';

/** /campaigns/delivery?uuid=: why a campaign, or without `uuid` the company, spends what it spends. */
export function DeliveryScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  return uuid ? <Delivery key={uuid} uuid={uuid} /> : <CompanyDelivery />;
}

function Delivery({ uuid }: { uuid: string }) {
  const dates = useRangeSearch();
  const campaign = useLoadable(campaignQuery(uuid));
  if (campaign.state === 'failed') return <LoadErrorScreen of={campaign} />;
  return (
    <>
      <PageHeader
        title={isKnown(campaign) ? `Delivery of ${campaign.data.name}` : 'Delivery of'}
        isLoading={!isKnown(campaign)}
        description="Where bid requests were lost, and where the money went."
        actions={<DateRangePicker choice={dates} />}
      />
      <CampaignTabs
        uuid={uuid}
        range={dates.range}
        delivery={<DeliveryTab uuid={uuid} range={dates.range} />}
      />
    </>
  );
}

/** Findings, and the steps from a bid request to an install. */
function DeliveryTab({ uuid, range }: { uuid: string; range: RangeChoice['range'] }) {
  const findings = useLoadable(findingsQuery(uuid, range));
  const figures = useLoadable(deliveryQuery(uuid, range));
  return (
    <Stack>
      <Section title="Findings">
        <FigureFrame figures={findings} what="The findings" skeleton={<FindingListSkeleton />}>
          {(known) => <FindingList findings={known} />}
        </FigureFrame>
      </Section>
      <FigureFrame figures={figures} skeleton={<FunnelLoading />}>
        {(report) => <Report campaignUuid={uuid} report={report} range={range} />}
      </FigureFrame>
    </Stack>
  );
}

interface ReportProps {
  campaignUuid: string;
  report: DeliveryReport;
  range: RangeChoice['range'];
}

function Report({ campaignUuid, report, range }: ReportProps) {
  const [adset, setAdset] = useState<string | null>(null);
  const [exit, setExit] = useState<FunnelExit | null>(null);
  const chosen = report.adsets.find(({ uuid }) => uuid === adset);
  if (report.total.seen.value === 0 && report.total.impressions === 0) return <NoRequests range={range} />;
  return (
    <>
      <FunnelReport
        funnel={chosen ?? report.total}
        choice={
          report.adsets.length > 1 && (
            <SearchSelect
              label="Ad set"
              hideLabel
              placeholder="All ad sets"
              clearable
              options={knownAs(report.adsets.map(({ uuid, name }) => ({ value: uuid, label: name })))}
              value={adset}
              onChange={setAdset}
              emptyText="No ad set"
            />
          )
        }
        onExit={setExit}
        outbidBy={chosen?.outbid_by}
        tooLarge={tooLargeOf(chosen ? [chosen] : report.adsets)}
        learning={learningOf(chosen ? [chosen] : report.adsets)}
        note={!chosen && report.adsets.length > 1 ? COUNTING_NOTE : undefined}
      />
      {exit && (
        <LostRequestDialog
          campaignUuid={campaignUuid}
          adset={chosen?.uuid ?? null}
          exit={exit}
          onClose={() => setExit(null)}
        />
      )}
    </>
  );
}

/** The creatives of ad sets that are too large for exchanges, each once. */
function tooLargeOf(adsets: DeliveryReport['adsets']) {
  const all = adsets.flatMap(({ too_large: creatives }) => creatives);
  return [...new Map(all.map((creative) => [creative.creative_uuid, creative])).values()];
}

/** Most ad sets whose learning a campaign lists. */
const LEARNING_MAX = 5;

function learningOf(adsets: DeliveryReport['adsets']) {
  return adsets
    .flatMap(({ name, learning }) => (learning ? [{ name: adsets.length > 1 ? name : null, learning }] : []))
    .toSorted((a, b) => a.learning.conversions - b.learning.conversions)
    .slice(0, LEARNING_MAX);
}
