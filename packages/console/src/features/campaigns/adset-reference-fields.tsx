import { Anchor, MultiSelect, Select, SimpleGrid } from '@mantine/core';
import type { AdsetFieldsProps } from './adset-fields-props.ts';
import type { AdsetOptions } from './adset-options.ts';
import { optionsOfApp } from './adset-options.ts';
import { Field } from './field.tsx';

interface AdsetReferenceFieldsProps extends AdsetFieldsProps {
  options: AdsetOptions;
  /** Limits the options to this app; without it, to the app of the target. */
  appUuid: string | undefined;
}

/** Target, tracking link and creative groups of an ad set, all of one app. */
export function AdsetReferenceFields(props: AdsetReferenceFieldsProps) {
  const { values, onChange, errors, prefix = '', options, appUuid } = props;
  const target = options.targets.find(({ uuid }) => uuid === values.target_id);
  const chosen = [values.target_id, values.tracking_link_id, ...values.creative_group_ids];
  const { targets } = optionsOfApp(options, appUuid, chosen);
  const { links, groups } = optionsOfApp(options, appUuid ?? target?.app.uuid, chosen);
  const selectTarget = (uuid: string) => {
    const app = targets.find((other) => other.uuid === uuid)?.app.uuid;
    onChange(withTarget(values, uuid, optionsOfApp(options, app, chosen)));
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <EntitySelect
          path={`${prefix}target_id`}
          label="Target"
          placeholder="Who to reach"
          items={targets.map(({ uuid, name, app }) => ({
            value: uuid,
            label: appUuid ? name : `${name} (${app.name})`,
          }))}
          value={values.target_id}
          onChange={selectTarget}
          error={errors['target_id']}
          createPath="/targets/edit"
        />
        <EntitySelect
          path={`${prefix}tracking_link_id`}
          label="Tracking link"
          placeholder="Where a click leads"
          items={toItems(links)}
          value={values.tracking_link_id}
          onChange={(uuid) => onChange({ tracking_link_id: uuid })}
          error={errors['tracking_link_id']}
          createPath="/tracking-links/edit"
        />
      </SimpleGrid>
      <Field path={`${prefix}creative_group_ids`}>
        <MultiSelect
          label="Creative groups"
          withAsterisk
          searchable
          placeholder={values.creative_group_ids.length === 0 ? 'What to show' : ''}
          nothingFoundMessage="No creative group of that name"
          data={toItems(groups)}
          value={values.creative_group_ids}
          onChange={(uuids) => onChange({ creative_group_ids: uuids })}
          error={errors['creative_group_ids']}
        />
        {groups.length === 0 && <CreateLink href="/creative-groups/edit" what="creative group" />}
      </Field>
    </>
  );
}

const toItems = (entities: readonly { uuid: string; name: string }[]) =>
  entities.map(({ uuid, name }) => ({ value: uuid, label: name }));

/** Selects a target, and removes a link and groups that are not of its app. */
function withTarget(values: AdsetFieldsProps['values'], uuid: string, ofApp: AdsetOptions) {
  const includes = (list: readonly { uuid: string }[], id: string) => list.some((one) => one.uuid === id);
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
  items: { value: string; label: string }[];
  /** Uuid; empty for none. */
  value: string;
  onChange: (uuid: string) => void;
  error: string | undefined;
  /** The form that creates an entity, offered while there is none. */
  createPath: string;
}

/** Selects one entity of the app. */
function EntitySelect({ path, label, items, value, onChange, createPath, ...input }: EntitySelectProps) {
  const what = label.toLowerCase();
  return (
    <Field path={path}>
      <Select
        label={label}
        withAsterisk
        searchable
        nothingFoundMessage={`No ${what} of that name`}
        data={items}
        value={value || null}
        onChange={(uuid) => onChange(uuid ?? '')}
        {...input}
      />
      {items.length === 0 && <CreateLink href={createPath} what={what} />}
    </Field>
  );
}

/** Opens a form in a new tab; this form stays and refetches when it becomes visible again. */
function CreateLink({ href, what }: { href: string; what: string }) {
  return (
    <Anchor href={href} target="_blank" size="xs" display="inline-block" mt={4}>
      No {what} of this app yet: create one
    </Anchor>
  );
}
