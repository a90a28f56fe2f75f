import { ADSET_AMOUNTS } from '@bidwell/contract/adsets/fields';
import { addDays } from '@bidwell/contract/lib/calendar';
import { limits } from '@bidwell/contract/lib/limits';
import {
  Autocomplete,
  Button,
  CloseButton,
  Group,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { mapped, useLoadable } from '../../../lib/loadable.ts';
import { eventOptions, labelOfEvent } from '../../../entities/measurement/event-options.tsx';
import { measurementQuery } from '../../../entities/measurement/queries.ts';
import { useToday } from '../../../lib/today.ts';
import { UnknownSuggestions } from '../../../ui/form/picker/picker-options.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';
import type { AdsetValues } from './adset-values.ts';
import { GoalNotice } from './goal-notice.tsx';

const windows = [
  { value: '7', label: '7 days after the install' },
  { value: '0', label: '24 hours after the install' },
];

/** The goal of Target CPA (event and cost) or Target ROAS (percent), its window, and goals of single countries. */
export function ValueGoalFields({ values, onChange, errors, prefix = '' }: AdsetFieldsProps) {
  const isEvent = values.algo === 'Target CPA';
  return (
    <Stack gap="sm" role="group" aria-label="Goal">
      <SimpleGrid cols={{ base: 1, xs: 3 }}>
        {isEvent ? (
          <>
            <Field path={`${prefix}goal_event`}>
              <GoalEvent
                linkUuid={values.tracking_link_id}
                value={values.goal_event ?? ''}
                onChange={(name) => onChange({ goal_event: name })}
                error={errors['goal_event']}
              />
            </Field>
            <Field path={`${prefix}cpa`}>
              <MoneyInput
                label={ADSET_AMOUNTS.cpa.label}
                description="Cost per person with the event"
                value={values.cpa}
                onChange={(cpa) => onChange({ cpa })}
                error={errors['cpa']}
              />
            </Field>
          </>
        ) : (
          <Field path={`${prefix}roas`}>
            <NumberInput
              label="Target ROAS"
              description="Revenue in percent of the spend"
              suffix="%"
              value={values.roas ?? ''}
              onChange={(roas) => onChange({ roas: typeof roas === 'number' ? roas : null })}
              error={errors['roas']}
            />
          </Field>
        )}
        <Field path={`${prefix}goal_window`}>
          <Select
            label="Goal window"
            description={isEvent ? 'Events count within' : 'Revenue counts within'}
            data={windows}
            allowDeselect={false}
            value={String(values.goal_window)}
            onChange={(days) => onChange({ goal_window: days === '0' ? 0 : 7 })}
          />
        </Field>
      </SimpleGrid>
      <GoalNotice values={values} />
      <Field path={`${prefix}goals_by_country`}>
        <CountryGoals
          goals={values.goals_by_country}
          unit={isEvent ? '$' : '%'}
          onChange={(goals) => onChange({ goals_by_country: goals })}
          error={errors['goals_by_country']}
        />
      </Field>
    </Stack>
  );
}

/** Days of the events that are offered by name. */
const EVENT_DAYS = 30;

interface GoalEventProps {
  /** '' while none is chosen. */
  linkUuid: string;
  value: string;
  onChange: (name: string) => void;
  error: string | undefined;
}

/** The name of an event: one that was counted for the tracking link, or any other. */
function GoalEvent({ linkUuid, ...props }: GoalEventProps) {
  const end = useToday();
  const counted = useLoadable({
    ...measurementQuery({ tracking_link_id: linkUuid }, { start: addDays(end, 1 - EVENT_DAYS), end }),
    enabled: linkUuid !== '',
    refetchInterval: false,
  });
  const events = mapped(counted, (known) => known.in_app_events);
  const label = labelOfEvent(events, props.value);
  return (
    <Autocomplete
      label="Goal event"
      description={
        <>
          {label === null ? 'As postbacks name it' : `As postbacks name it. Shown as “${label}”`}{' '}
          {linkUuid !== '' && <UnknownSuggestions of={events} />}
        </>
      }
      maxLength={limits.goalEventMax}
      {...eventOptions(events)}
      {...props}
    />
  );
}

type Goals = AdsetValues['goals_by_country'];

interface CountryGoalsProps {
  goals: Goals;
  unit: '$' | '%';
  onChange: (goals: Goals) => void;
  error: string | undefined;
}

/** Goals of single countries, one in a row. */
function CountryGoals({ goals, unit, onChange, error }: CountryGoalsProps) {
  const change = (index: number, changes: Partial<Goals[number]>) =>
    onChange(goals.map((goal, at) => (at === index ? { ...goal, ...changes } : goal)));
  return (
    <Stack gap={6}>
      {goals.map(({ country, value }, index) => (
        <Group key={index} gap="xs" align="flex-end">
          <TextInput
            w={110}
            label="Country"
            placeholder="DE"
            maxLength={2}
            value={country}
            onChange={(event) => change(index, { country: event.currentTarget.value.toUpperCase() })}
          />
          <NumberInput
            w={140}
            label="Goal there"
            {...(unit === '$' ? { prefix: '$' } : { suffix: '%' })}
            value={value}
            onChange={(amount) => change(index, { value: Number(amount) })}
          />
          <CloseButton
            mb={4}
            aria-label={`Remove the goal of ${country || 'this country'}`}
            onClick={() => onChange(goals.filter((_goal, at) => at !== index))}
          />
        </Group>
      ))}
      {error !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {error}
        </Text>
      )}
      {goals.length < limits.countryGoalsMax && (
        <Button
          size="compact-sm"
          variant="light"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => onChange([...goals, { country: '', value: 1 }])}
        >
          Add a goal for a country
        </Button>
      )}
    </Stack>
  );
}
