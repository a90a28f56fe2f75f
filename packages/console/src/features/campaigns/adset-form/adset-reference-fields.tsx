import type { App } from '@bidwell/contract/apps/schema';
import { FileButton, MultiSelect, Select, SimpleGrid } from '@mantine/core';
import { type ReactNode, useRef } from 'react';
import { partnerInText } from '@bidwell/contract/measurement/partners/partners';
import { type Loadable, combined, isKnown, knownData, mapped, useKnown } from '../../../lib/loadable.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { useLatestCallback } from '../../../lib/use-latest-callback.ts';
import { pickerProps } from '../../../ui/form/picker/picker-options.tsx';
import { useDrawer } from '../../../ui/form/drawer-requests.ts';
import { focusField } from '../../../ui/form/focus-field.ts';
import type { AdsetFieldsProps } from './adset-fields-props.ts';
import { type AdsetOptions, optionsOfApp } from './adset-options.ts';
import { Field } from '../form/field.tsx';
import { FieldAction, FieldActions } from '../form/field-actions.tsx';
import { useDefaultParts } from '../form/use-default-parts.ts';

interface AdsetReferenceFieldsProps extends AdsetFieldsProps {
  options: AdsetOptions;
  /** Limits the options to this app; without it, to the app of the target. */
  appUuid: string | undefined;
}

/** Target, tracking link and creative groups of an ad set, all of one app. Missing ones are created in place. */
export function AdsetReferenceFields(props: AdsetReferenceFieldsProps) {
  const { values, errors, prefix = '', appUuid } = props;
  const { targets, links, groups, ofUuid, selectTarget, selectLink, addGroup } = useReferences(props);
  const app = useApp(ofUuid);
  const parts = useDefaultParts({
    app,
    onTarget: (uuid) => {
      selectTarget(uuid);
      focusField(`${prefix}target_id`);
    },
    onLink: (uuid) => {
      selectLink(uuid);
      focusField(`${prefix}tracking_link_id`);
    },
  });
  const open = useDrawer();
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <EntitySelect
          path={`${prefix}target_id`}
          label="Target"
          placeholder="Who to reach"
          items={mapped(targets, (known) =>
            known.map((target) => ({
              value: target.uuid,
              label: appUuid ? target.name : `${target.name} (${target.app.name})`,
            })),
          )}
          value={values.target_id}
          onChange={selectTarget}
          error={errors['target_id']}
        >
          {hasNone(targets) && parts.createTarget && (
            <FieldAction onClick={parts.createTarget} busy={parts.busy === 'target'}>
              Reach everyone
            </FieldAction>
          )}
          <FieldAction
            onClick={() =>
              open({ kind: 'target', appUuid: ofUuid, field: `${prefix}target_id`, onSaved: selectTarget })
            }
          >
            New target
          </FieldAction>
        </EntitySelect>
        <EntitySelect
          path={`${prefix}tracking_link_id`}
          label="Tracking link"
          placeholder="Where a click leads"
          items={mapped(links, toItems)}
          value={values.tracking_link_id}
          onChange={selectLink}
          error={errors['tracking_link_id']}
        >
          {app && hasNone(links) && parts.createLink && (
            <FieldAction onClick={parts.createLink} busy={parts.busy === 'tracking-link'}>
              Use the template of {partnerInText(app.mobile_measurement_partner)}
            </FieldAction>
          )}
          <FieldAction
            onClick={() =>
              open({
                kind: 'tracking-link',
                appUuid: ofUuid,
                field: `${prefix}tracking_link_id`,
                onSaved: selectLink,
              })
            }
          >
            New tracking link
          </FieldAction>
        </EntitySelect>
      </SimpleGrid>
      <GroupsField {...props} appUuid={ofUuid} groups={groups} onCreated={addGroup} />
    </>
  );
}

/** The options of an ad set's references, and the functions that select them. */
function useReferences({ values, onChange, options, appUuid }: AdsetReferenceFieldsProps) {
  const target = knownData(options.targets)?.find(({ uuid }) => uuid === values.target_id);
  const chosen = [values.target_id, values.tracking_link_id, ...values.creative_group_ids];
  const { targets } = optionsOfApp(options, appUuid, chosen);
  const ofUuid = appUuid || target?.app.uuid;
  const { links, groups } = optionsOfApp(options, ofUuid, chosen);
  // While the app of the chosen target is not known, links and groups of all apps are no choice.
  const isOfApp = ofUuid !== undefined || values.target_id === '';
  return {
    targets,
    links: isOfApp ? links : mapped(combined(options.targets, links), ([, known]) => known),
    groups: isOfApp ? groups : mapped(combined(options.targets, groups), ([, known]) => known),
    /** Uuid of the app that link and groups must belong to; undefined while any app can be chosen. */
    ofUuid,
    selectTarget: useLatestCallback((uuid: string) => {
      const app = knownData(targets)?.find((other) => other.uuid === uuid)?.app.uuid;
      onChange(withTarget(values, uuid, optionsOfApp(options, app, chosen)));
    }),
    selectLink: useLatestCallback((uuid: string) => onChange({ tracking_link_id: uuid })),
    addGroup: useLatestCallback((uuid: string) =>
      onChange({ creative_group_ids: [...values.creative_group_ids, uuid] }),
    ),
  };
}

function useApp(uuid: string | undefined): App | undefined {
  const apps = useKnown(appsQuery);
  return apps?.find((app) => app.uuid === uuid);
}

interface GroupsFieldProps extends AdsetFieldsProps {
  /** Uuid of the app of the creatives. */
  appUuid: string | undefined;
  groups: AdsetOptions['groups'];
  /** Adds a created group to the chosen ones. */
  onCreated: (uuid: string) => void;
}

/** Selects creative groups, or makes one of banners that are uploaded here. */
function GroupsField({
  values,
  onChange,
  errors,
  prefix = '',
  appUuid,
  groups,
  onCreated,
}: GroupsFieldProps) {
  const open = useDrawer();
  const resetFiles = useRef<() => void>(null);
  const request = { appUuid, field: `${prefix}creative_group_ids`, onSaved: onCreated };
  return (
    <Field path={`${prefix}creative_group_ids`}>
      <MultiSelect
        label="Creative groups"
        withAsterisk
        searchable
        openOnFocus={false}
        hidePickedOptions={!isKnown(groups)}
        {...pickerProps(
          mapped(groups, toItems),
          {
            placeholder: values.creative_group_ids.length === 0 ? 'What to show' : '',
            emptyText: 'There is no creative group yet',
          },
          values.creative_group_ids,
        )}
        value={values.creative_group_ids}
        onChange={(uuids) => onChange({ creative_group_ids: uuids })}
        error={errors['creative_group_ids']}
      />
      <FieldActions>
        <FileButton
          multiple
          accept="image/png,image/jpeg"
          resetRef={resetFiles}
          onChange={(files) => {
            if (files.length > 0) open({ kind: 'creatives', files, ...request });
            // The same files can be chosen again.
            resetFiles.current?.();
          }}
        >
          {({ onClick }) => <FieldAction onClick={onClick}>Upload banners</FieldAction>}
        </FileButton>
        <FieldAction onClick={() => open({ kind: 'creatives', ...request })}>
          Upload other creatives
        </FieldAction>
        <FieldAction onClick={() => open({ kind: 'creative-group', ...request })}>
          New group of uploaded creatives
        </FieldAction>
      </FieldActions>
    </Field>
  );
}

const toItems = (entities: readonly { uuid: string; name: string }[]) =>
  entities.map(({ uuid, name }) => ({ value: uuid, label: name }));

/** Whether there is nothing to choose; false while that is not known. */
const hasNone = (list: Loadable<readonly unknown[]>) => isKnown(list) && list.data.length === 0;

/** Selects a target, and removes a link and groups that are known to be of another app. */
function withTarget(values: AdsetFieldsProps['values'], uuid: string, ofApp: AdsetOptions) {
  const includes = (list: Loadable<readonly { uuid: string }[]>, id: string) =>
    !isKnown(list) || list.data.some((one) => one.uuid === id);
  return {
    target_id: uuid,
    tracking_link_id: includes(ofApp.links, values.tracking_link_id) ? values.tracking_link_id : '',
    creative_group_ids: values.creative_group_ids.filter((id) => includes(ofApp.groups, id)),
  };
}

interface EntitySelectProps {
  path: string;
  label: string;
  placeholder: string;
  items: Loadable<readonly { value: string; label: string }[]>;
  /** Uuid; empty for none. */
  value: string;
  onChange: (uuid: string) => void;
  error: string | undefined;
  /** Actions below the field. */
  children: ReactNode;
}

/** Selects one entity of the app. */
function EntitySelect(props: EntitySelectProps) {
  const { path, label, items, value, onChange, placeholder, children, ...input } = props;
  return (
    <Field path={path}>
      <Select
        label={label}
        withAsterisk
        searchable
        openOnFocus={false}
        {...pickerProps(items, { placeholder, emptyText: `There is no ${label.toLowerCase()} yet` })}
        value={value || null}
        onChange={(uuid) => onChange(uuid ?? '')}
        {...input}
      />
      <FieldActions>{children}</FieldActions>
    </Field>
  );
}
