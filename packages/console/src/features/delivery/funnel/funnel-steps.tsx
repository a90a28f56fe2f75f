import type { DeliveryFunnel, DeliveryStep } from '@bidwell/contract/insight/delivery-report';
import type { Estimate } from '@bidwell/contract/insight/estimate';
import { type FunnelExit, type FunnelStep, exitName } from '@bidwell/contract/text/no-bid-reasons';
import { Anchor, Box, Group, Stack, Text } from '@mantine/core';
import { Caption } from '../../../ui/layout/text.tsx';
import { estimateText, shareText } from './estimate-text.ts';
import classes from './funnel-steps.module.css';

/** The checks that the requests of a step have passed. */
const STEP_NAMES: Record<FunnelStep, string> = {
  open: 'Open to bids',
  targeted: 'Matched by the target, the hours and the audiences',
  placed: 'With a placement for a creative',
  uncapped: 'Below the frequency caps',
  funded: 'With budget',
  above_floor: 'Above the floor',
  chosen: 'Highest on this platform',
  sent: 'Bids',
};

interface FunnelStepsProps {
  funnel: DeliveryFunnel;
  /** Called with a reason to show a request that was lost for it; undefined if none can be shown. */
  onExit: ((exit: FunnelExit) => void) | undefined;
}

/** The steps from a bid request to a bid, each with a bar and the reasons for which requests left before it. */
export function FunnelSteps({ funnel, onExit }: FunnelStepsProps) {
  const { seen } = funnel;
  // Most ad sets have no caps.
  const steps = funnel.steps.filter(({ step, exits }) => step !== 'uncapped' || exits.length > 0);
  return (
    <ol className={classes['steps']}>
      <li>
        <StepLine name="Bid requests seen" requests={seen} share={1} />
      </li>
      {steps.map((step, index) => (
        <li key={step.step}>
          <Exits step={step} before={index === 0 ? seen : steps[index - 1]!.requests} onExit={onExit} />
          <StepLine
            name={STEP_NAMES[step.step]}
            requests={step.requests}
            share={seen.value > 0 ? step.requests.value / seen.value : 0}
          />
        </li>
      ))}
    </ol>
  );
}

function StepLine({ name, requests, share }: { name: string; requests: Estimate; share: number }) {
  return (
    <Stack gap={4}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" fw={600}>
          {name}
        </Text>
        <Text size="sm" className={classes['number']}>
          {estimateText(requests)}
        </Text>
      </Group>
      <Box className={classes['track']} aria-hidden>
        {share > 0 && <Box className={classes['bar']} style={{ width: `${Math.min(100, share * 100)}%` }} />}
      </Box>
    </Stack>
  );
}

interface ExitsProps extends Pick<FunnelStepsProps, 'onExit'> {
  step: DeliveryStep;
  before: Estimate;
}

function Exits({ step: { exits }, before, onExit }: ExitsProps) {
  if (exits.length === 0) return null;
  return (
    <ul className={classes['exits']}>
      {exits.map(({ exit, requests }) => (
        <li key={exit}>
          <Group justify="space-between" wrap="nowrap" gap="sm">
            {onExit ? (
              <Anchor
                component="button"
                type="button"
                size="xs"
                ta="left"
                aria-label={`Show a request: ${exitName(exit)}`}
                onClick={() => onExit(exit)}
              >
                {exitName(exit)}
              </Anchor>
            ) : (
              <Text size="xs">{exitName(exit)}</Text>
            )}
            <Caption className={classes['number']}>
              {estimateText(requests, '−')} ({shareText(requests.value, before.value)})
            </Caption>
          </Group>
        </li>
      ))}
    </ul>
  );
}
