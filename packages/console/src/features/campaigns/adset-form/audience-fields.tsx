import { Group, Stack, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { AudienceSelect } from '../../../entities/audiences/audience-select.tsx';
import { Choice } from '../../../ui/form/choice.tsx';
import { FoldedFields } from '../../../ui/form/folded-fields.tsx';
import { SmallButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';

const withoutIdOptions = [
  { value: 'bid', label: 'Bid for them' },
  { value: 'skip', label: 'Skip them' },
] as const;

/** The audiences that an ad set includes and excludes. */
export function AudienceFields({ values, onChange, errors, prefix = '' }: AdsetFieldsProps) {
  const {
    audience_include: groups,
    audience_exclude: excluded,
    audience_without_id: withoutId,
    exclude_installed: excludesInstalled,
  } = values;
  // A new group is there before it has an audience.
  const shown = groups.length > 0 ? groups : [[]];
  const setGroup = (at: number, uuids: string[]) =>
    onChange({ audience_include: shown.map((group, index) => (index === at ? uuids : group)) });
  const isUsed = groups.some((group) => group.length > 0) || excluded.length > 0 || withoutId !== 'bid';
  return (
    <>
      <Field path={`${prefix}exclude_installed`}>
        <Switch
          label="Leave out people who have the app"
          description="By the installs that measurement partners report. People without an id are not left out."
          checked={excludesInstalled}
          onChange={({ currentTarget }) => onChange({ exclude_installed: currentTarget.checked })}
        />
      </Field>
      <FoldedFields
        label="Audiences"
        isUsed={isUsed || Boolean(errors['audience_include'] ?? errors['audience_exclude'])}
      >
        <Field path={`${prefix}audience_include`}>
          <Stack gap="xs">
            {shown.map((group, at) => (
              // Groups have no ids: a group is known by its place.
              // oxlint-disable-next-line react/no-array-index-key
              <Stack key={at} gap={4}>
                {at > 0 && <Caption>and</Caption>}
                <AudienceSelect
                  label={at === 0 ? 'Include people in one of' : 'And in one of'}
                  placeholder="Everyone"
                  value={group}
                  onChange={(uuids) => setGroup(at, uuids)}
                  error={at === 0 ? errors['audience_include'] : undefined}
                />
              </Stack>
            ))}
            {shown.at(-1)!.length > 0 && (
              <Group>
                <SmallButton
                  leftSection={<IconPlus size={14} />}
                  onClick={() => onChange({ audience_include: [...shown, []] })}
                >
                  And in another audience
                </SmallButton>
              </Group>
            )}
            {groups.some((group) => group.length > 0) && (
              <Caption>People without an id, and people who do not allow the look-up, are left out.</Caption>
            )}
          </Stack>
        </Field>
        <Field path={`${prefix}audience_exclude`}>
          <AudienceSelect
            label="Leave out people in any of"
            placeholder="No one"
            value={excluded}
            onChange={(uuids) => onChange({ audience_exclude: uuids })}
            error={errors['audience_exclude']}
          />
        </Field>
        {(excluded.length > 0 || excludesInstalled || withoutId !== 'bid') && (
          <Field path={`${prefix}audience_without_id`}>
            <Choice
              label="People who cannot be looked up"
              description="They have no id, or do not allow the look-up, so they may be in the audiences that are left out."
              data={withoutIdOptions}
              value={withoutId}
              onChange={(choice) => choice && onChange({ audience_without_id: choice })}
            />
          </Field>
        )}
      </FoldedFields>
    </>
  );
}
