import { shownAddress } from '@bidwell/contract/accounts/domain';
import {
  type AlertFrequency,
  type AlertPreferences,
  AlertPreferencesInput,
  alertPreferencesVersion,
} from '@bidwell/contract/alerts/preferences';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Group, Paper, Stack, Switch, Title } from '@mantine/core';
import { type UseFormReturnType, schemaResolver } from '@mantine/form';
import { hourOptions } from '../../lib/format/hours.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { alertPreferencesQuery, saveAlertPreferences } from '../../entities/alerts/queries.ts';
import { timeZonesWith } from '../../lib/format/time-zones.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { SubmitButton } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Muted } from '../../ui/layout/text.tsx';
import { KindsField } from './kinds-field.tsx';

const FREQUENCIES: { value: AlertFrequency; label: string }[] = [
  { value: 'at_once', label: 'At once, at most every five minutes' },
  { value: 'hourly', label: 'Once an hour' },
  { value: 'daily', label: 'Once a day' },
  { value: 'off', label: 'Never' },
];
/** Options that are shown of a long list. */
const SHOWN_MAX = 100;
/** Quiet hours that are filled in when someone switches them on. */
const USUAL_QUIET = { from: '22', until: '7' };

/** Form of what the user gets by mail, and when. */
export function MailForm({
  preferences,
  companyName,
}: {
  preferences: AlertPreferences;
  companyName: string;
}) {
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(preferences),
    entity: {
      saved: preferences,
      valuesOf,
      version: alertPreferencesVersion,
      reload: () => readAgain(alertPreferencesQuery),
    },
    validate: (values) => schemaResolver(AlertPreferencesInput, { sync: true })(inputOf(values)),
    send: (values, version) => saveAlertPreferences(inputOf(values), version),
    done: consoleMessages.saved('Mails'),
  });
  const { frequency } = form.values;
  return (
    <Paper withBorder p="md" maw={800} component="section" aria-label="My mails">
      <form onSubmit={submit} noValidate>
        <Stack>
          <div>
            <Title order={2} size="h5">
              My mails
            </Title>
            <Muted>
              {preferences.is_mailed
                ? `Alerts of ${companyName} for you, at ${shownAddress(preferences.email)}.`
                : 'This server sends no mails: an operator has to set up a mail server first.'}
            </Muted>
          </div>
          {changedElsewhere}
          <Choice label="How often" data={FREQUENCIES} maw={360} {...form.getInputProps('frequency')} />
          {frequency !== 'off' && <DeliveryFields form={form} savedZone={preferences.time_zone} />}
          <SubmitButton busy={busy}>Save mails</SubmitButton>
        </Stack>
      </form>
    </Paper>
  );
}

interface DeliveryFieldsProps {
  form: UseFormReturnType<Values>;
  /** The time zone that is saved, which browsers may not know. */
  savedZone: string;
}

/** What mails are about, and when they come. */
function DeliveryFields({ form, savedZone }: DeliveryFieldsProps) {
  const { frequency, is_quiet: isQuiet } = form.values;
  return (
    <>
      <KindsField label="About" {...form.getInputProps('kinds')} />
      <Group align="start" gap="md">
        {frequency === 'daily' && (
          <Choice label="At" w={110} data={hourOptions} {...form.getInputProps('daily_hour')} />
        )}
        <Choice
          label="Time zone"
          w={260}
          data={timeZonesWith(savedZone)}
          searchable
          limit={SHOWN_MAX}
          {...form.getInputProps('time_zone')}
        />
      </Group>
      {frequency !== 'daily' && (
        <>
          <Switch
            label="Quiet hours"
            description="No mails are sent in these hours. One mail afterwards says what happened meanwhile."
            {...form.getInputProps('is_quiet', { type: 'checkbox' })}
          />
          {isQuiet && (
            <Group align="start" gap="md">
              <Choice label="From" w={110} data={hourOptions} {...form.getInputProps('quiet_from')} />
              <Choice label="Until" w={110} data={hourOptions} {...form.getInputProps('quiet_until')} />
            </Group>
          )}
        </>
      )}
    </>
  );
}

type Values = ReturnType<typeof valuesOf>;

function valuesOf(preferences: AlertPreferences) {
  const { kinds, frequency, daily_hour, quiet_from, quiet_until, time_zone } = preferences;
  return {
    kinds: [...kinds],
    frequency,
    daily_hour: String(daily_hour),
    is_quiet: quiet_from !== null,
    quiet_from: quiet_from === null ? USUAL_QUIET.from : String(quiet_from),
    quiet_until: quiet_until === null ? USUAL_QUIET.until : String(quiet_until),
    time_zone,
  };
}

function inputOf({ is_quiet: isQuiet, ...values }: Values): AlertPreferencesInput {
  return {
    ...values,
    daily_hour: Number(values.daily_hour),
    quiet_from: isQuiet ? Number(values.quiet_from) : null,
    quiet_until: isQuiet ? Number(values.quiet_until) : null,
  };
}
