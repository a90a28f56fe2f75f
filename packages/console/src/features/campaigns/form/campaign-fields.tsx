import type { App } from '@bidwell/contract/apps/schema';
import { CAMPAIGN_KINDS, CAMPAIGN_KIND_NAMES, type CampaignKind } from '@bidwell/contract/campaigns/kind';
import {
  Button,
  Checkbox,
  Group,
  Input,
  Paper,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { Muted } from '../../../ui/layout/text.tsx';
import { DateInput } from '@mantine/dates';
import { IconPlus } from '@tabler/icons-react';
import { type Loadable, isKnown, mapped } from '../../../lib/loadable.ts';
import { osNames } from '../../../lib/format/os-names.ts';
import { useReviewSentences } from '../../../entities/moderation/review-text.ts';
import { useTimeZone } from '../../../lib/today.ts';
import { Choice } from '../../../ui/form/choice.tsx';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { useDrawer } from '../../../ui/form/drawer-requests.ts';
import { CapsField } from '../caps/caps-field.tsx';
import { EntityTitleFields } from './entity-title-fields.tsx';
import { Field } from './field.tsx';
import { FieldAction, FieldActions } from './field-actions.tsx';
import type { CampaignFormValues } from './campaign-form-values.ts';
import classes from './campaign-form.module.css';

interface CampaignFieldsProps {
  values: CampaignFormValues;
  onChange: (changes: Partial<Omit<CampaignFormValues, 'adsets' | 'app_uuid' | 'kind'>>) => void;
  onKind: (kind: CampaignKind) => void;
  onApp: (appUuid: string) => void;
  errors: Readonly<Record<string, string>>;
  apps: Loadable<readonly App[]>;
  /** Focuses the name of a new campaign. */
  isNew: boolean;
  isPaused: boolean;
}

/** The fields of a campaign without its ad sets. */
export function CampaignFields({
  values,
  onChange,
  onKind,
  onApp,
  errors,
  apps,
  isNew,
  isPaused,
}: CampaignFieldsProps) {
  const { startsByItself } = useReviewSentences();
  const day = (name: 'start_date' | 'end_date') => ({
    name,
    value: values[name],
    onChange: (date: string | null) =>
      onChange({ [name]: date, ...(date === null && { [TIME_OF[name]]: null }) }),
    error: errors[name],
  });
  const hasTimes = values.start_date !== null || values.end_date !== null;
  const time = (name: 'start_time' | 'end_time') => ({
    name,
    value: values[name],
    onChange: (clock: string | null) => onChange({ [name]: clock }),
    error: errors[name],
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <KindField value={values.kind} onChange={onKind} isNew={isNew} />
        <EntityTitleFields
          label="Campaign name"
          values={values}
          onChange={onChange}
          errors={errors}
          autoFocus={isNew}
        />
        <AppField apps={apps} value={values.app_uuid} onChange={onApp} error={errors['app_uuid']} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DayField label="First day" placeholder="At once" {...day('start_date')} />
          <DayField label="Last day" placeholder="Until paused" {...day('end_date')} />
          {hasTimes && (
            <>
              <TimeField label="Start time" of={values.start_date} {...time('start_time')} />
              <TimeField label="End time" of={values.end_date} {...time('end_time')} />
            </>
          )}
        </SimpleGrid>
        <Field path="frequency_caps">
          <CapsField
            of="campaign"
            value={values.frequency_caps}
            onChange={(frequency_caps) => onChange({ frequency_caps })}
            error={errors['frequency_caps']}
          />
        </Field>
        {isPaused && (
          <Checkbox
            label="Start by itself when approved"
            description={startsByItself}
            checked={values.start_when_approved}
            onChange={({ currentTarget }) => onChange({ start_when_approved: currentTarget.checked })}
          />
        )}
      </Stack>
    </Paper>
  );
}

const kindTexts: Readonly<Record<CampaignKind, string>> = {
  acquisition: 'Buys installs of people who do not have the app.',
  re_engagement: 'Brings people back who have the app. It counts their returns, and no installs.',
};

interface KindFieldProps {
  value: CampaignKind;
  onChange: (kind: CampaignKind) => void;
  isNew: boolean;
}

/** Selects the kind of a new campaign; says it of one of re-engagement, since it never changes. */
function KindField({ value, onChange, isNew }: KindFieldProps) {
  if (!isNew)
    return value === 'acquisition' ? null : <Muted>{`${CAMPAIGN_KIND_NAMES[value]} campaign`}</Muted>;
  return (
    <Radio.Group label="Kind" value={value} onChange={(kind) => onChange(kind as CampaignKind)}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt={6}>
        {CAMPAIGN_KINDS.map((kind) => (
          <Radio.Card key={kind} value={kind} p="sm" radius="md">
            <Group wrap="nowrap" align="flex-start" gap="sm">
              <Radio.Indicator mt={2} />
              <div>
                <Text size="sm" fw={600}>
                  {CAMPAIGN_KIND_NAMES[kind]}
                </Text>
                <Muted>{kindTexts[kind]}</Muted>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  );
}

const TIME_OF = { start_date: 'start_time', end_date: 'end_time' } as const;

interface AppFieldProps {
  apps: Loadable<readonly App[]>;
  /** Uuid; empty for none. */
  value: string;
  onChange: (uuid: string) => void;
  error: string | undefined;
}

/** Selects the app, or adds one in a drawer; without any app there is nothing to select. */
function AppField({ apps, value, onChange, error }: AppFieldProps) {
  const open = useDrawer();
  const add = () => open({ kind: 'app', field: 'app_uuid', onSaved: onChange });
  if (isKnown(apps) && apps.data.length === 0) {
    return (
      <Field path="app_uuid">
        <Input.Wrapper label="App" withAsterisk error={error} labelElement="div">
          <Button variant="light" fullWidth leftSection={<IconPlus size={15} />} onClick={add}>
            Add your app
          </Button>
        </Input.Wrapper>
      </Field>
    );
  }
  return (
    <Field path="app_uuid">
      <Choice
        label="App"
        withAsterisk
        searchable
        openOnFocus={false}
        {...pickerProps(
          mapped(apps, (known) =>
            known.map((app) => ({ value: app.uuid, label: `${app.name} (${osNames[app.os]})` })),
          ),
          { placeholder: 'Choose the app to promote', emptyText: 'There is no app yet' },
        )}
        value={value || null}
        onChange={(uuid) => onChange(uuid ?? '')}
        error={error}
      />
      <FieldActions>
        <FieldAction onClick={add}>Add an app</FieldAction>
      </FieldActions>
    </Field>
  );
}

interface DayFieldProps {
  name: string;
  label: string;
  /** What an empty field means. */
  placeholder: string;
  /** YYYY-MM-DD. */
  value: string | null;
  onChange: (day: string | null) => void;
  error: string | undefined;
}

interface TimeFieldProps extends Omit<DayFieldProps, 'placeholder'> {
  /** The day; null disables the field. */
  of: string | null;
}

/** A time of the first or last day in the company's time zone; empty for the whole day. */
function TimeField({ name, label, of, value, onChange, error }: TimeFieldProps) {
  const timeZone = useTimeZone();
  return (
    <Field path={name}>
      <TextInput
        type="time"
        classNames={{ input: classes.time }}
        label={label}
        description={`Empty for the whole day. ${timeZone}`}
        disabled={of === null}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value || null)}
        error={error}
      />
    </Field>
  );
}

function DayField({ name, label, ...input }: DayFieldProps) {
  return (
    <Field path={name}>
      <DateInput
        label={label}
        valueFormat="MM/DD/YYYY"
        clearable
        clearButtonProps={{ 'aria-label': `Clear ${label.toLowerCase()}` }}
        {...input}
      />
    </Field>
  );
}
