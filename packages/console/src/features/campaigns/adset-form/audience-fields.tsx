import { Switch } from '@mantine/core';
import { AudienceGroups } from '../../../entities/audiences/audience-groups.tsx';
import { AudienceSelect } from '../../../entities/audiences/audience-select.tsx';
import { Choice } from '../../../ui/form/choice.tsx';
import { FoldedFields } from '../../../ui/form/folded-fields.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';

const withoutIdOptions = [
  { value: 'bid', label: 'Bid for them' },
  { value: 'skip', label: 'Skip them' },
] as const;

/** The audiences that an ad set includes and excludes. Re-engagement is for people who have the app, and needs an audience of them. */
export function AudienceFields({
  values,
  onChange,
  errors,
  prefix = '',
  isReEngagement,
}: AdsetFieldsProps & { isReEngagement: boolean }) {
  const {
    audience_include: groups,
    audience_exclude: excluded,
    audience_without_id: withoutId,
    exclude_installed: excludesInstalled,
  } = values;
  const leavesOutInstalled = excludesInstalled && !isReEngagement;
  const isUsed =
    isReEngagement || groups.some((group) => group.length > 0) || excluded.length > 0 || withoutId !== 'bid';
  return (
    <>
      {!isReEngagement && (
        <Field path={`${prefix}exclude_installed`}>
          <Switch
            label="Leave out people who have the app"
            description="By the installs that measurement partners report. People without an id are not left out."
            checked={excludesInstalled}
            onChange={({ currentTarget }) => onChange({ exclude_installed: currentTarget.checked })}
          />
        </Field>
      )}
      <FoldedFields
        label="Audiences"
        isUsed={isUsed || Boolean(errors['audience_include'] ?? errors['audience_exclude'])}
      >
        <Field path={`${prefix}audience_include`}>
          <AudienceGroups
            value={groups}
            onChange={(next) => onChange({ audience_include: next })}
            error={errors['audience_include']}
          />
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
        {(excluded.length > 0 || leavesOutInstalled || withoutId !== 'bid') && (
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
