import type { Target } from '@bidwell/contract/target';
import { TargetInput } from '@bidwell/contract/target';
import { consoleMessages } from '@bidwell/contract/messages';
import { Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { appsQuery } from '../../lib/queries/apps.ts';
import { createTarget, updateTarget } from '../../lib/queries/targets.ts';
import { AppSelect } from '../../ui/app-select.tsx';
import { useEntityForm } from '../../ui/entity-form.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { FormSection } from '../../ui/form-section.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { TitleFields } from '../../ui/title-fields.tsx';
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
  const { data: apps = [] } = useQuery(appsQuery);
  const { form, busy, notice, submit } = useEntityForm<TargetValues>({
    draftKey: `target.${target?.uuid ?? 'new'}`,
    draftSchema: TargetValues,
    initialValues: valuesOf(target),
    validate,
    save: async (values) => {
      await (target ? updateTarget(target.uuid, inputOf(values)) : createTarget(inputOf(values)));
      return consoleMessages.saved('Target');
    },
    tab: 'targets',
  });
  const os = apps.find(({ uuid }) => uuid === form.values.app_id)?.os ?? target?.app.os;

  return (
    <>
      <PageHeader
        title={target ? target.name : 'New target'}
        description="Who an ad set reaches. An empty list means all; exclusions take precedence."
      />
      <form onSubmit={submit} noValidate>
        {notice}
        <div className={classes['columns']}>
          <Stack className={classes['fields'] ?? ''}>
            <FormSection>
              <TitleFields
                title={form.getInputProps('name')}
                description={form.getInputProps('description')}
              />
              <AppSelect
                apps={apps}
                {...form.getInputProps('app_id')}
                value={form.values.app_id}
                onChange={(uuid) => form.setFieldValue('app_id', uuid)}
              />
            </FormSection>
            <FormSection title="Device">
              <DeviceFields form={form} os={os} />
            </FormSection>
            <FormSection title="Location">
              <LocationFields form={form} />
            </FormSection>
            <FormSection title="Language">
              <LanguageFields form={form} />
            </FormSection>
            <FormSection title="Placement">
              <PlacementFields form={form} />
            </FormSection>
          </Stack>
          <div className={classes['reach']}>
            <ReachPanel os={os} target={form.values} />
          </div>
          <FormActions
            cancel={{ to: '/assets', search: { tab: 'targets' } }}
            action="Save target"
            busy={busy}
            className={classes['actions']}
          />
        </div>
      </form>
    </>
  );
}
