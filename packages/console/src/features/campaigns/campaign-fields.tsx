import type { App } from '@bidwell/contract/app';
import { limits } from '@bidwell/contract/limits';
import { Paper, Select, SimpleGrid, Stack } from '@mantine/core';
import { DateInput } from '@mantine/dates';
import { CountedInput, CountedTextarea } from '../../ui/form-fields.tsx';
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
  return (
    <Paper withBorder p="md">
      <Stack gap="sm">
        <Field path="name">
          <CountedInput
            label="Campaign name"
            withAsterisk
            maxLength={limits.titleMax}
            value={values.name}
            onChange={(event) => onChange({ name: event.currentTarget.value })}
            error={errors['name']}
          />
        </Field>
        <Field path="description">
          <CountedTextarea
            label="Description"
            minRows={1}
            maxLength={limits.descriptionMax}
            value={values.description}
            onChange={(event) => onChange({ description: event.currentTarget.value })}
            error={errors['description']}
          />
        </Field>
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
              label: `${app.name} (${app.os === 'ios' ? 'iOS' : 'Android'})`,
            }))}
            value={values.app_uuid || null}
            onChange={(uuid) => onApp(uuid ?? '')}
            error={errors['app_uuid']}
          />
        </Field>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="start_date">
            <DateInput
              label="First day"
              valueFormat="MM/DD/YYYY"
              placeholder="At once"
              clearable
              clearButtonProps={{ 'aria-label': 'Clear first day' }}
              value={values.start_date}
              onChange={(date) => onChange({ start_date: date })}
              error={errors['start_date']}
            />
          </Field>
          <Field path="end_date">
            <DateInput
              label="Last day"
              valueFormat="MM/DD/YYYY"
              placeholder="Until paused"
              clearable
              clearButtonProps={{ 'aria-label': 'Clear last day' }}
              value={values.end_date}
              onChange={(date) => onChange({ end_date: date })}
              error={errors['end_date']}
            />
          </Field>
        </SimpleGrid>
      </Stack>
    </Paper>
  );
}
