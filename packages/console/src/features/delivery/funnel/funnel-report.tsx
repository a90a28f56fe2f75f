import type { AdsetDelivery, DeliveryFunnel, LossesByCode } from '@bidwell/contract/insight/delivery-report';
import type { GoalLearning } from '@bidwell/contract/insight/goal-learning';
import { withheldTexts } from '@bidwell/contract/insight/device-ids';
import type { FunnelExit } from '@bidwell/contract/text/no-bid-reasons';
import { learningText } from '@bidwell/contract/text/learning-text';
import { lossReason } from '@bidwell/contract/bid-log/loss-reasons';
import { Grid, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { countingWords } from '../../../lib/format/counting-text.ts';
import { formatDay, formatMoney, formatNumber } from '../../../lib/format/format.ts';
import { EmptyState } from '../../../ui/layout/empty-state.tsx';
import { Caption, LongText, Muted } from '../../../ui/layout/text.tsx';
import { Section } from '../../../ui/layout/section.tsx';
import { estimateText } from './estimate-text.ts';
import { FunnelSteps } from './funnel-steps.tsx';
import { sentText, wonOf } from './sent-text.ts';

/** Most creatives that are listed as too large. */
const TOO_LARGE_MAX = 5;

/** How requests are counted where a funnel has several ad sets. */
export const COUNTING_NOTE = 'A request counts once for each ad set that was active.';

interface FunnelReportProps {
  funnel: DeliveryFunnel;
  /** Selects whose funnel is shown. */
  choice: ReactNode;
  /** Called with a reason to show a request that was lost for it. */
  onExit?: ((exit: FunnelExit) => void) | undefined;
  /** Ad sets that bid instead of the chosen one. */
  outbidBy?: AdsetDelivery['outbid_by'] | undefined;
  /** Creatives of the shown ad sets that are too large for exchanges. */
  tooLarge?: AdsetDelivery['too_large'] | undefined;
  /** The learning data of the shown ad sets with Target CPA or Target ROAS, by name if there are several. */
  learning?: readonly { name: string | null; learning: GoalLearning }[];
  /** Explains what the numbers count; shown below them. */
  note?: string | undefined;
  /** Whether it is of campaigns of any kind; otherwise of one campaign. */
  hasBothKinds?: boolean;
}

/** The steps from a bid request to an install, or to a return in a re-engagement campaign. */
export function FunnelReport({
  funnel,
  choice,
  onExit,
  outbidBy = [],
  tooLarge = [],
  learning = [],
  note = '',
  hasBothKinds = false,
}: FunnelReportProps) {
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Section title="From request to bid" actions={choice}>
          {funnel.seen.value === 0 ? (
            <EmptyState
              title="No bid requests were recorded"
              text="For these days, only the outcome of bids is known."
            />
          ) : (
            <>
              <FunnelSteps funnel={funnel} onExit={onExit} />
              <Caption mt="md">
                {sampleText(funnel)} {note}
              </Caption>
            </>
          )}
        </Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Stack>
          <Section title={endTitle(funnel.reattributions, hasBothKinds)}>
            <Figures funnel={funnel} hasBothKinds={hasBothKinds} />
            {learning.map(({ name, learning: state }, index) => (
              // Ad sets may have the same name.
              <LongText key={index} mt="sm">
                {name === null ? '' : `“${name}”: `}
                {learningText(state)}
              </LongText>
            ))}
          </Section>
          {funnel.losses_by_code.length > 0 && (
            <Section title="Lost bids by reason">
              <Lines
                lines={funnel.losses_by_code.map(({ code, profile, losses, min_to_win: prices }) => [
                  lossReason(code, profile),
                  formatNumber(losses),
                  prices && minToWinText(losses, prices),
                ])}
              />
            </Section>
          )}
          {funnel.device_ids && (
            <Section title="Device ids of matched requests">
              <Lines lines={idLines(funnel.device_ids)} />
            </Section>
          )}
          {tooLarge.length > 0 && (
            <Section title="Too large for an exchange">
              <Lines
                lines={tooLarge
                  .slice(0, TOO_LARGE_MAX)
                  .map(({ name, exchanges }) => [name, exchanges.join(', ')])}
              />
              <Caption mt="sm">
                {tooLarge.length > TOO_LARGE_MAX &&
                  `And ${formatNumber(tooLarge.length - TOO_LARGE_MAX)} more. `}
                Since yesterday, bids with {tooLarge.length === 1 ? 'this creative' : 'these creatives'} were
                not sent: they exceed the longest response that the exchange accepts.
              </Caption>
            </Section>
          )}
          {outbidBy.length > 0 && (
            <Section title="Ad sets that bid instead">
              <Lines lines={outbidBy.map(({ name, requests }) => [name, estimateText(requests)])} />
            </Section>
          )}
        </Stack>
      </Grid.Col>
    </Grid>
  );
}

/** In place of the steps while they load. */
export function FunnelLoading() {
  const lines = (count: number) => (
    <Stack gap="md">
      {Array.from({ length: count }, (_, line) => (
        <Skeleton key={line} height={26} />
      ))}
    </Stack>
  );
  return (
    <Grid>
      <Grid.Col span={{ base: 12, md: 8 }}>
        <Section title="From request to bid">{lines(9)}</Section>
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 4 }}>
        <Section title="From bid to outcome">{lines(5)}</Section>
      </Grid.Col>
    </Grid>
  );
}

/** Shown instead of the steps where nothing was counted. */
export function NoRequests({ range }: { range: { start: string; end: string } }) {
  return (
    <Section title="From request to bid">
      <EmptyState
        title="No bid requests in this range"
        text={`Nothing was counted from ${formatDay(range.start)} to ${formatDay(range.end)}. Counts appear seconds after an ad set can bid.`}
      />
    </Section>
  );
}

function sampleText({ samples, seen }: DeliveryFunnel): string {
  return seen.error === 0
    ? `Every one of ${formatNumber(samples)} requests was followed through the steps.`
    : `Estimated from ${formatNumber(samples)} requests that were followed through the steps. The true numbers are within ± in 95 of 100 cases.`;
}

/** The prices at which lost bids would have won. */
function minToWinText(losses: number, prices: NonNullable<LossesByCode['min_to_win']>): string {
  const of = prices.losses < losses ? ` (of ${formatNumber(prices.losses)} with a price)` : '';
  return `Half would have won at ${formatMoney(prices.median_cpm)}, 80% at ${formatMoney(prices.p80_cpm)}${of}`;
}

/** A re-engagement campaign ends in returns, all campaigns together in installs and returns. */
function endTitle(reattributions: number | undefined, hasBothKinds: boolean): string {
  if (reattributions === undefined) return 'From bid to install';
  return hasBothKinds ? 'From bid to install or return' : 'From bid to return';
}

function Figures({ funnel, hasBothKinds }: { funnel: DeliveryFunnel; hasBothKinds: boolean }) {
  const { bids, losses, impressions, clicks, installs, reattributions, spend } = funnel;
  const won = wonOf(funnel);
  return (
    <Lines
      lines={[
        ['Bids sent', sentText(bids, won + losses)],
        ['Won', formatNumber(won), countingWords.funnelWon],
        ['Lost', formatNumber(losses), countingWords.funnelLost],
        ['Impressions', formatNumber(impressions)],
        ['Clicks', formatNumber(clicks)],
        ['Installs', reattributions === undefined || hasBothKinds ? formatNumber(installs) : '-'],
        ...(reattributions === undefined
          ? []
          : [['Re-attributions', formatNumber(reattributions), countingWords.reattributions] as const]),
        ['Spend', formatMoney(spend)],
      ]}
    />
  );
}

/** Device ids that may be used, and why others may not. */
function idLines({ usable, absent, withheld }: NonNullable<DeliveryFunnel['device_ids']>): readonly Line[] {
  return [
    ['May be used', estimateText(usable)],
    ...withheld.map(({ reason, requests }): Line => [withheldTexts[reason], estimateText(requests)]),
    ['No device id in the request', estimateText(absent)],
  ];
}

type Line = readonly [name: string, value: string, detail?: string | null];

function Lines({ lines }: { lines: readonly Line[] }) {
  return (
    <SimpleGrid component="dl" cols={1} spacing={6} m={0}>
      {lines.map(([name, value, detail], index) => (
        // Names may be equal.
        <Group key={index} justify="space-between" gap="0 8px">
          <Muted component="dt" flex={1}>
            {name}
          </Muted>
          <Text component="dd" size="sm" m={0} style={{ fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Text>
          {detail && (
            <Caption component="dd" m={0} w="100%">
              {detail}
            </Caption>
          )}
        </Group>
      ))}
    </SimpleGrid>
  );
}
