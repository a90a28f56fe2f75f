import { assumedInstallPrice } from '@bidwell/contract/adsets/assumed-install-price';
import { ADSET_AMOUNTS } from '@bidwell/contract/adsets/fields';
import { APP_EVENT_NAMES_MAX } from '@bidwell/contract/apps/event-settings';
import { addDays, dateAt, dayText } from '@bidwell/contract/lib/calendar';
import { limits } from '@bidwell/contract/lib/limits';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { goalNotices } from '@bidwell/contract/text/goal-messages';
import { Alert, Autocomplete, Button, NumberInput, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { CountryInput } from '../../../entities/finance/code-inputs.tsx';
import { appEventsQuery, appsQuery } from '../../../entities/apps/queries.ts';
import { trackingLinksQuery } from '../../../entities/tracking-links/queries.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { mapped, useKnown, useLoadable } from '../../../lib/loadable.ts';
import { eventOptions, labelOfEvent } from '../../../entities/measurement/event-options.tsx';
import { measurementQuery } from '../../../entities/measurement/queries.ts';
import { useTimeZone, useToday } from '../../../lib/today.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { UnknownSuggestions } from '../../../ui/form/picker/picker-options.tsx';
import { MoneyInput } from '../../../ui/form/money-input.tsx';
import { RemovableRow } from '../../../ui/form/removable-row.tsx';
import { AnchorLink } from '../../../ui/layout/links.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';
import type { AdsetValues } from './adset-values.ts';

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
          <Choice
            label="Goal window"
            description={isEvent ? 'Events count within' : 'Revenue counts within'}
            data={windows}
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
        <RemovableRow
          key={index}
          remove={`Remove the goal of ${country || 'this country'}`}
          onRemove={() => onChange(goals.filter((_goal, at) => at !== index))}
          align="flex-end"
        >
          <CountryInput
            w={210}
            label="Country"
            value={country}
            onChange={(next) => change(index, { country: next })}
            required
          />
          <NumberInput
            w={140}
            label="Goal there"
            {...(unit === '$' ? { prefix: '$' } : { suffix: '%' })}
            value={value}
            onChange={(amount) => change(index, { value: Number(amount) })}
          />
        </RemovableRow>
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

/** While someone types the name of an event. */
const DEBOUNCE_MS = 500;

/**
 * Says that the app of an ad set has never had an event of its goal, what the ad set bids by meanwhile and what to check; nothing
 * where it has had one, where no event is chosen, and while that is not known.
 */
function GoalNotice({ values }: { values: AdsetValues }) {
  const timeZone = useTimeZone();
  const [settled] = useDebouncedValue(values.goal_event, DEBOUNCE_MS);
  const links = useKnown(trackingLinksQuery);
  const apps = useKnown(appsQuery);
  const link = links?.find(({ uuid }) => uuid === values.tracking_link_id);
  const app = link && apps?.find(({ uuid }) => uuid === link.app_id);
  const data = useKnown({ ...appEventsQuery(app?.uuid ?? ''), enabled: app !== undefined });
  const event = values.algo === 'Target CPA' ? (settled ?? '').trim() : null;
  if (!app || !data || !values.algo || event === '') return null;
  const hasArrived = event === null ? data.events.length > 0 : data.events.some(({ name }) => name === event);
  if (hasArrived) return null;
  const since = dayText(dateAt(Date.parse(app.created_at), timeZone));
  const { algo, bet_cpm: cpm, bet_cpi: cpi, cpa } = values;
  const isFull = event !== null && data.events.length >= APP_EVENT_NAMES_MAX;
  const assumed = assumedInstallPrice({ algo, bet_cpm: cpm ?? 0, bet_cpi: cpi, cpa });
  return (
    <Alert color="orange" variant="light" p="xs" role="status">
      <Stack gap={4} align="flex-start">
        <Text size="sm">
          {isFull
            ? goalNotices.notCounted(event, `“${app.name}”`)
            : goalNotices.neverArrived({ event, app: `“${app.name}”`, since })}{' '}
          {assumed ? `${goalNotices.meanwhile('the ad set', formatMoney(assumed))} ` : ''}
          {!isFull && goalNotices.check(event, partnerInText(app.mobile_measurement_partner))}
        </Text>
        <AnchorLink
          size="sm"
          c="inherit"
          td="underline"
          to="/tracking-links/edit"
          search={{ uuid: values.tracking_link_id }}
        >
          Measurement of the tracking link
        </AnchorLink>
      </Stack>
    </Alert>
  );
}
