import type { App } from '@bidwell/contract/app';
import { Paper, Select, SimpleGrid, Stack } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { osNames } from '../../lib/os-names.ts';
import { EntityTitleFields } from './entity-title-fields.tsx';
import { Field } from './field.tsx';
import type { CampaignFormValues } from './campaign-form-values.ts';

interface CampaignFieldsProps {
  values: CampaignFormValues;
  onChange: (changes: Partial<Omit<CampaignFormValues, 'adsets' | 'app_uuid'>>) => void;
  onApp: (appUuid: string) => void;
  errors: Readonly<Record<string, string>>;
  apps: readonly App[];
}

/** The fields of a campaign without its ad sets. */
export function CampaignFields({ values, onChange, onApp, errors, apps }: CampaignFieldsProps) {
  const day = (name: 'start_date' | 'end_date') => ({
    name,
    value: values[name],
    onChange: (date: string | null) => onChange({ [name]: date }),
    error: errors[name],
  });
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <EntityTitleFields label="Campaign name" values={values} onChange={onChange} errors={errors} />
        <Field path="app_uuid">
          <Select
            label="App"
            withAsterisk
            searchable
            allowDeselect={false}
            placeholder="Choose the app to promote"
            nothingFoundMessage="No app of that name"
            data={apps.map((app) => ({
              value: app.uuid,
              label: `${app.name} (${osNames[app.os]})`,
            }))}
            value={values.app_uuid || null}
            onChange={(uuid) => onApp(uuid ?? '')}
            error={errors['app_uuid']}
          />
        </Field>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <DayField label="First day" placeholder="At once" {...day('start_date')} />
          <DayField label="Last day" placeholder="Until paused" {...day('end_date')} />
        </SimpleGrid>
      </Stack>
    </Paper>
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
