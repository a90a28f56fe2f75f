import { limits } from '@bidwell/contract/limits';
import type { Target } from '@bidwell/contract/target';
import { TargetInput } from '@bidwell/contract/target';
import { Alert, Button, Group, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { appsQuery } from '../../lib/queries/apps.ts';
import {
  connectionTypesQuery,
  deviceTypesQuery,
  languagesQuery,
  sspsQuery,
  storeGenresQuery,
  subRegionsQuery,
} from '../../lib/queries/reference.ts';
import { createTarget, targetQuery, updateTarget } from '../../lib/queries/targets.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { CountryPicker } from '../../ui/country-picker.tsx';
import { NotFoundScreen } from '../../ui/error-screens.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { PageLoader } from '../../ui/page-loader.tsx';
import { ModelSelect, ReferenceSelect, VersionInput } from './reference-selects.tsx';
import { reachSentence } from './target-summary.ts';

/** /targets/edit: with `uuid` edits a target, without it makes one. */
export function TargetEditScreen() {
  const { uuid } = useSearch({ strict: false }) as { uuid?: string };
  const { data: target, isError } = useQuery({ ...targetQuery(uuid ?? ''), enabled: Boolean(uuid) });
  if (!uuid) return <TargetForm />;
  if (isError) return <NotFoundScreen />;
  return target ? <TargetForm key={target.uuid} target={target} /> : <PageLoader />;
}

const empty = {
  app_id: '',
  name: '',
  description: '',
  device_connection_types: [] as string[],
  device_max_os_version: '' as string | null,
  device_min_os_version: '' as string | null,
  device_models: [] as string[],
  device_os: [] as string[],
  device_types: [] as string[],
  exchange_include: [] as string[],
  exchange_exclude: [] as string[],
  genre_include: [] as string[],
  genre_exclude: [] as string[],
  language_include: [] as string[],
  language_exclude: [] as string[],
  location_include: [] as string[],
  location_exclude: [] as string[],
};
type Values = typeof empty;

function valuesOf(target: Target): Values {
  const { app, device_min_os_version: min, device_max_os_version: max, ...rest } = target;
  const { uuid: _uuid, created_at: _created, updated_at: _updated, ...settings } = rest;
  return {
    ...settings,
    app_id: app.uuid,
    device_min_os_version: min ?? '',
    device_max_os_version: max ?? '',
  };
}

function TargetForm({ target }: { target?: Target }) {
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const { data: apps = [] } = useQuery(appsQuery);
  const { data: subRegions = [] } = useQuery(subRegionsQuery);
  const form = useForm<Values>({
    initialValues: target ? valuesOf(target) : empty,
    validate: schemaResolver(TargetInput, { sync: true }),
  });
  const app = apps.find(({ uuid }) => uuid === form.values.app_id);

  const save = async (values: Values) => {
    setBusy(true);
    try {
      const input = TargetInput.parse(values);
      await (target ? updateTarget(target.uuid, input) : createTarget(input));
      toastSuccess('Target saved');
      await navigate({ to: '/assets', search: { tab: 'targets' } });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };
  const countries = (name: 'location_include' | 'location_exclude') => ({
    subRegions,
    value: form.values[name],
    onChange: (codes: string[]) => form.setFieldValue(name, codes),
  });
  const list = (name: ListField) => ({
    value: form.values[name],
    onChange: (values: string[]) => form.setFieldValue(name, values),
  });

  return (
    <>
      <PageHeader
        title={target ? target.name : 'New target'}
        description="Whom an ad set reaches. An empty list means all; what is excluded wins."
      />
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        <Stack maw={860}>
          <Section>
            <CountedInput
              label="Title"
              withAsterisk
              maxLength={limits.titleMax}
              {...form.getInputProps('name')}
              value={undefined}
            />
            <CountedTextarea
              label="Description"
              maxLength={limits.descriptionMax}
              {...form.getInputProps('description')}
              value={undefined}
            />
            <Select
              label="App"
              withAsterisk
              searchable
              data={apps.map(({ uuid, name }) => ({ value: uuid, label: name }))}
              {...form.getInputProps('app_id')}
            />
          </Section>
          <Section title="Device">
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <ReferenceSelect label="Device types" query={deviceTypesQuery} {...list('device_types')} />
              <ReferenceSelect
                label="Connection types"
                query={connectionTypesQuery}
                {...list('device_connection_types')}
              />
              <VersionInput
                label="Minimum OS version"
                os={app?.os}
                {...form.getInputProps('device_min_os_version')}
              />
              <VersionInput
                label="Maximum OS version"
                os={app?.os}
                {...form.getInputProps('device_max_os_version')}
              />
            </SimpleGrid>
            <ModelSelect os={app?.os} {...list('device_models')} />
          </Section>
          <Section title="Location">
            <CountryPicker
              label="Countries to include"
              placeholder="All countries"
              {...countries('location_include')}
            />
            <CountryPicker
              label="Countries to exclude"
              placeholder="None"
              {...countries('location_exclude')}
            />
          </Section>
          <Section title="Language">
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <ReferenceSelect
                label="Languages to include"
                query={languagesQuery}
                {...list('language_include')}
              />
              <ReferenceSelect
                label="Languages to exclude"
                query={languagesQuery}
                {...list('language_exclude')}
              />
            </SimpleGrid>
          </Section>
          <Section title="Placement">
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <ReferenceSelect
                label="Genres to include"
                query={storeGenresQuery}
                {...list('genre_include')}
              />
              <ReferenceSelect
                label="Genres to exclude"
                query={storeGenresQuery}
                {...list('genre_exclude')}
              />
              <ReferenceSelect label="Exchanges to include" query={sspsQuery} {...list('exchange_include')} />
              <ReferenceSelect label="Exchanges to exclude" query={sspsQuery} {...list('exchange_exclude')} />
            </SimpleGrid>
          </Section>
          <Alert variant="light" color="gray" title="Reaches">
            {reachSentence(app?.os, form.values)}
          </Alert>
          <Group justify="flex-end">
            <ButtonLink to="/assets" search={{ tab: 'targets' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save target
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

type ListField = { [Name in keyof Values]: Values[Name] extends string[] ? Name : never }[keyof Values];

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md">
      <Stack>
        {title && <Text fw={600}>{title}</Text>}
        {children}
      </Stack>
    </Paper>
  );
}
