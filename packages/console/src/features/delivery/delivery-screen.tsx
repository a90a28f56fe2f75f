import type { DeliveryFunnel, DeliveryReport } from '@bidwell/contract/delivery-report';
import type { FunnelExit } from '@bidwell/contract/funnel';
import { lossReason } from '@bidwell/contract/loss-reasons';
import { Grid, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { formatMoney, formatNumber } from '../../lib/format.ts';
import { campaignQuery } from '../../lib/queries/campaigns.ts';
import { deliveryQuery, findingsQuery } from '../../lib/queries/delivery.ts';
import type { RangeChoice } from '../../lib/range-search.ts';
import { useRangeSearch } from '../../lib/range-search.ts';
import { DateRangePicker } from '../../ui/date-range-picker.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadErrorScreen } from '../../ui/error-screens.tsx';
import { FindingList } from '../../ui/finding-list.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SearchSelect } from '../../ui/search-select.tsx';
import { Section } from '../../ui/section.tsx';
import { CampaignTabs } from './campaign-tabs.tsx';
import { LostRequestDialog } from './lost-request-dialog.tsx';
import { FunnelSteps, estimateText } from './funnel-steps.tsx';

/** /campaigns/delivery?uuid=: why a campaign spends what it spends, and where bid requests were lost. */
export function DeliveryScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  return uuid ? <Delivery key={uuid} uuid={uuid} /> : <LoadErrorScreen error={null} />;
}

function Delivery({ uuid }: { uuid: string }) {
  const dates = useRangeSearch();
  const { data: campaign, error } = useQuery(campaignQuery(uuid));
  if (error && !campaign) return <LoadErrorScreen error={error} />;
  return (
    <>
      <PageHeader
        title={campaign ? `Delivery of ${campaign.name}` : 'Delivery'}
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
  const { data: findings } = useQuery(findingsQuery(uuid, range));
  const { data: report } = useQuery(deliveryQuery(uuid, range));
  return (
    <Stack>
      <Section title="Findings">
        {findings ? <FindingList findings={findings} /> : <Skeleton height={60} />}
      </Section>
      {report ? <Report campaignUuid={uuid} report={report} range={range} /> : <Skeleton height={420} />}
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
  const funnel = chosen ?? report.total;
  if (report.total.seen.value === 0 && report.total.impressions === 0)
    return (
      <Section title="From request to bid">
        <EmptyState
          title="No bid requests in this range"
          text={`Nothing was counted from ${range.start} to ${range.end}. Counts appear seconds after an ad set can bid.`}
        />
      </Section>
    );
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Section
          title="From request to bid"
          actions={
            report.adsets.length > 1 && (
              <SearchSelect
                label="Ad set"
                hideLabel
                placeholder="All ad sets"
                clearable
                options={report.adsets.map(({ uuid, name }) => ({ value: uuid, label: name }))}
                value={adset}
                onChange={setAdset}
                emptyText="No ad set"
              />
            )
          }
        >
          <FunnelSteps funnel={funnel} onExit={setExit} />
          {exit && (
            <LostRequestDialog
              campaignUuid={campaignUuid}
              adset={chosen?.uuid ?? null}
              exit={exit}
              onClose={() => setExit(null)}
            />
          )}
          <Text size="xs" c="dimmed" mt="md">
            {sampleText(funnel)}
          </Text>
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack>
          <Section title="From bid to install">
            <Figures funnel={funnel} />
          </Section>
          {funnel.losses_by_code.length > 0 && (
            <Section title="Lost bids by reason">
              <Lines
                lines={funnel.losses_by_code.map(({ code, losses }) => [
                  lossReason(code),
                  formatNumber(losses),
                ])}
              />
            </Section>
          )}
          {chosen && chosen.outbid_by.length > 0 && (
            <Section title="Ad sets that bid instead">
              <Lines lines={chosen.outbid_by.map(({ name, requests }) => [name, estimateText(requests)])} />
            </Section>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

function sampleText({ samples, seen }: DeliveryFunnel): string {
  return seen.error === 0
    ? `Every one of ${formatNumber(samples)} requests was followed through the steps.`
    : `Estimated from ${formatNumber(samples)} requests that were followed through the steps. The true numbers are within ± in 95 of 100 cases.`;
}

function Figures({ funnel }: { funnel: DeliveryFunnel }) {
  const { bids, wins, losses, impressions, clicks, installs, spend } = funnel;
  return (
    <Lines
      lines={[
        ['Bids sent', formatNumber(bids)],
        ['Won', formatNumber(wins)],
        ['Lost', formatNumber(losses)],
        ['Impressions', formatNumber(impressions)],
        ['Clicks', formatNumber(clicks)],
        ['Installs', formatNumber(installs)],
        ['Spend', formatMoney(spend)],
      ]}
    />
  );
}

function Lines({ lines }: { lines: readonly (readonly [name: string, value: string])[] }) {
  return (
    <SimpleGrid component="dl" cols={1} spacing={6} m={0}>
      {lines.map(([name, value]) => (
        <Group key={name} justify="space-between" wrap="nowrap" gap="sm">
          <Text component="dt" size="sm" c="dimmed">
            {name}
          </Text>
          <Text component="dd" size="sm" m={0} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
        </Group>
      ))}
    </SimpleGrid>
  );
}
