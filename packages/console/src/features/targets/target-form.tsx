import type { Os } from '@bidwell/contract/apps/fields';
import {
  type Target,
  TargetInput,
  type TargetSettings,
  targetVersion,
} from '@bidwell/contract/targets/schema';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Alert, List, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconAlertTriangle, IconUsers } from '@tabler/icons-react';
import { phoneModelsQuery } from '../../entities/reference/queries.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { useEffect } from 'react';
import { knownData, useKnown, useLoadable } from '../../lib/loadable.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { createTarget, targetQuery, updateTarget } from '../../entities/targets/queries.ts';
import { AppSelect } from '../../entities/apps/app-select.tsx';
import { useEntityForm } from '../../ui/form/entity-form.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { FormHeader, type FormInDrawer, newDraftKey } from '../../ui/form/form-in-drawer.tsx';
import { FormSection } from '../../ui/form/form-section.tsx';
import { TitleFields } from '../../ui/form/title-fields.tsx';
import { AudienceFields } from './audience-fields.tsx';
import { hasAudiences } from './audience-words.ts';
import { reachSentence } from './reach.ts';
import { targetErrors, versionError } from './target-errors.ts';
import { CarrierFields, PlaceFields, PlacementKindField } from './place-fields.tsx';
import { DeviceFields, LanguageFields, LocationFields, PlacementFields } from './target-fields.tsx';
import classes from './target-form.module.css';
import { useTargetNames } from './target-names.ts';
import { TargetValues, inputOf, settingsOf, valuesOf, withEntry } from './target-values.ts';

const checkSchema = schemaResolver(TargetInput, { sync: true });

function validate(values: TargetValues) {
  const versionMessage = versionError(values.device_min_os_version, values.device_max_os_version);
  const errors = checkSchema(values) as Record<string, string>;
  return versionMessage ? { device_max_os_version: versionMessage, ...errors } : errors;
}

interface TargetFormProps {
  target?: Target;
  /** The field that is focused at first. */
  field?: string | undefined;
  /** Added to `field` if it is a list. */
  value?: string | undefined;
  drawer?: FormInDrawer<Target>;
}

/** Form of a target, new or existing. */
export function TargetForm({ target, field, value, drawer }: TargetFormProps) {
  const apps = useLoadable(appsQuery);
  const { form, busy, notice, submit } = useEntityForm<TargetValues, Target>({
    draftKey: target ? `target.${target.uuid}` : newDraftKey('target', drawer),
    draftSchema: TargetValues,
    initialValues: { ...valuesOf(target), ...(drawer?.appUuid && { app_id: drawer.appUuid }) },
    entity: target && {
      saved: target,
      valuesOf,
      version: targetVersion,
      reload: () => readAgain(targetQuery(target.uuid)),
      nameOf: (_field, id) => knownData(apps)?.find(({ uuid }) => uuid === id)?.name,
    },
    validate,
    save: async (values, version) => {
      const input = inputOf(values);
      const saved = await (target ? updateTarget(target.uuid, input, version) : createTarget(input));
      return { saved, message: consoleMessages.saved('Target') };
    },
    tab: 'targets',
    drawer,
  });
  const { setValues, getValues, getInputNode } = form;
  useEffect(() => {
    if (field === undefined) return;
    if (value !== undefined) setValues(withEntry(getValues(), field, value));
    getInputNode(field)?.focus();
  }, [field, value, setValues, getValues, getInputNode]);
  const os = knownData(apps)?.find(({ uuid }) => uuid === form.values.app_id)?.os ?? target?.app.os;

  return (
    <>
      <FormHeader
        inDrawer={drawer !== undefined}
        title={target ? target.name : 'New target'}
        description="Who an ad set reaches. An empty list means all; exclusions take precedence."
      />
      <form onSubmit={submit} noValidate>
        {notice}
        <div className={drawer ? classes['narrow'] : classes['columns']}>
          <Stack className={classes['fields'] ?? ''}>
            <FormSection>
              <TitleFields
                title={form.getInputProps('name')}
                description={form.getInputProps('description')}
              />
              {!drawer?.appUuid && (
                <AppSelect apps={apps} {...form.getInputProps('app_id')} value={form.values.app_id} />
              )}
            </FormSection>
            <FormSection title="Device">
              <DeviceFields form={form} os={os} />
              <CarrierFields form={form} field={field} />
            </FormSection>
            <FormSection title="Location">
              <LocationFields form={form} />
              <PlaceFields form={form} field={field} />
            </FormSection>
            <FormSection title="Language">
              <LanguageFields form={form} />
            </FormSection>
            <FormSection title="Placement">
              <PlacementFields form={form} />
              <PlacementKindField form={form} field={field} />
            </FormSection>
            <FormSection title="People">
              <AudienceFields form={form} field={field} />
            </FormSection>
          </Stack>
          <div className={classes['reach']}>
            <ReachPanel os={os} target={settingsOf(form.values)} />
          </div>
          <FormActions
            cancel={drawer?.onCancel ?? { to: '/assets', search: { tab: 'targets' } }}
            action="Save target"
            busy={busy}
            permission="target.write"
            className={classes['actions']}
          />
        </div>
      </form>
    </>
  );
}

/** Shows while editing who the target reaches, and its contradictions. */
function ReachPanel({ os, target }: { os: Os | undefined; target: TargetSettings }) {
  const names = useTargetNames({
    models: true,
    regions: [...target.region_include, ...target.region_exclude],
    audiences: hasAudiences(target),
  });
  const models = useKnown(phoneModelsQuery);
  const errors = targetErrors(os, target, names, models);
  const reachesNoOne = errors.some((error) => error.reachesNoOne);
  const Icon = reachesNoOne ? IconAlertTriangle : IconUsers;
  return (
    <Alert
      variant="light"
      color={reachesNoOne ? 'red' : errors.length > 0 ? 'yellow' : 'accent'}
      title={reachesNoOne ? 'Reaches no one' : 'Reaches'}
      icon={<Icon size={18} />}
      role="status"
      aria-live="polite"
    >
      {!reachesNoOne && <Text size="sm">{reachSentence(os, target, names)}</Text>}
      {errors.length > 0 && (
        <List size="sm" mt={reachesNoOne ? 0 : 6}>
          {errors.map(({ text }) => (
            <List.Item key={text}>{text}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
