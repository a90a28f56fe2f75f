import { limits } from '@bidwell/contract/limits';
import type { Target } from '@bidwell/contract/target';
import { TargetInput } from '@bidwell/contract/target';
import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';

import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { currentOnly } from '../../lib/current-only.ts';
import { appsQuery } from '../../lib/queries/apps.ts';
import { createTarget, updateTarget } from '../../lib/queries/targets.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useFormDraft } from '../../ui/form-draft.tsx';
import { CountedInput, CountedTextarea, focusFirstError, showServerErrors } from '../../ui/form-fields.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { useIsHere } from '../../ui/use-is-here.ts';
import { ReachPanel } from './reach-panel.tsx';
import { versionError } from './target-errors.ts';
import { DeviceFields, LanguageFields, LocationFields, PlacementFields } from './target-fields.tsx';
import classes from './target-form.module.css';
import { TargetValues, inputOf, valuesOf } from './target-values.ts';

const checkSchema = schemaResolver(TargetInput, { sync: true });

function validate(values: TargetValues) {
  const versionMessage = versionError(values.device_min_os_version, values.device_max_os_version);
  const errors = checkSchema(values) as Record<string, string>;
  return versionMessage ? { device_max_os_version: versionMessage, ...errors } : errors;
}

/** Form of a target, new or existing. */
export function TargetForm({ target }: { target?: Target }) {
  const navigate = useNavigate();
  const isHere = useIsHere();
  const [busy, setBusy] = useState(false);
  const { data: apps = [] } = useQuery(appsQuery);
  const form = useForm<TargetValues>({ initialValues: valuesOf(target), validate });
  const draft = useFormDraft(form, `target.${target?.uuid ?? 'new'}`, TargetValues, busy);
  const os = apps.find(({ uuid }) => uuid === form.values.app_id)?.os ?? target?.app.os;

  const save = async (values: TargetValues) => {
    setBusy(true);
    try {
      await (target ? updateTarget(target.uuid, inputOf(values)) : createTarget(inputOf(values)));
      draft.flush();
      toastSuccess('Target saved');
      if (isHere()) await navigate({ to: '/assets', search: { tab: 'targets' }, ignoreBlocker: true });
    } catch (error) {
      showServerErrors(form, error);
      toastError(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <>
      <PageHeader
        title={target ? target.name : 'New target'}
        description="Whom an ad set reaches. An empty list means all; what is excluded wins."
      />
      <form onSubmit={form.onSubmit((values) => void save(values), focusFirstError(form))} noValidate>
        {draft.notice}
        <div className={classes['columns']}>
          <Stack className={classes['fields'] ?? ''}>
            <Section>
              <CountedInput
                label="Title"
                withAsterisk
                maxLength={limits.titleMax}
                {...form.getInputProps('name')}
              />
              <CountedTextarea
                label="Description"
                maxLength={limits.descriptionMax}
                {...form.getInputProps('description')}
              />
              <Select
                label="App"
                withAsterisk
                searchable
                placeholder="Choose the app to advertise"
                nothingFoundMessage="No app of that name"
                data={currentOnly(apps, form.values.app_id).map(({ uuid, name }) => ({
                  value: uuid,
                  label: name,
                }))}
                {...form.getInputProps('app_id')}
                onChange={(uuid) => form.setFieldValue('app_id', uuid ?? '')}
              />
            </Section>
            <Section title="Device">
              <DeviceFields form={form} os={os} />
            </Section>
            <Section title="Location">
              <LocationFields form={form} />
            </Section>
            <Section title="Language">
              <LanguageFields form={form} />
            </Section>
            <Section title="Placement">
              <PlacementFields form={form} />
            </Section>
          </Stack>
          <div className={classes['reach']}>
            <ReachPanel os={os} target={form.values} />
          </div>
          <Group justify="flex-end" className={classes['actions'] ?? ''}>
            <ButtonLink to="/assets" search={{ tab: 'targets' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Save target
            </Button>
          </Group>
        </div>
      </form>
    </>
  );
}

function Section({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Stack>
        {title && (
          <Text component="h2" fw={600} m={0}>
            {title}
          </Text>
        )}
        {children}
      </Stack>
    </Paper>
  );
}
