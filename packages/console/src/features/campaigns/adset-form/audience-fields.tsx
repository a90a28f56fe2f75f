import { contradictedGroup } from '@bidwell/contract/audiences/choice';
import type { Target } from '@bidwell/contract/targets/schema';
import { Alert, Switch } from '@mantine/core';
import { AudienceGroups } from '../../../entities/audiences/audience-groups.tsx';
import { audiencesQuery } from '../../../entities/audiences/queries.ts';
import { AudienceSelect } from '../../../entities/audiences/audience-select.tsx';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
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
  target,
}: AdsetFieldsProps & { isReEngagement: boolean; target: Target | undefined }) {
  const {
    audience_include: groups,
    audience_exclude: excluded,
    audience_without_id: withoutId,
    exclude_installed: excludesInstalled,
  } = values;
  // Included audiences leave out all people who cannot be looked up.
  const isIncluding = groups.some((group) => group.length > 0);
  const leavesOutInstalled = excludesInstalled && !isReEngagement;
  const isUsed =
    isReEngagement || groups.some((group) => group.length > 0) || excluded.length > 0 || withoutId !== 'bid';
  return (
    <>
      {!isReEngagement && (
        <Field path={`${prefix}exclude_installed`}>
          <Switch
            label="Leave out people who have the app"
            description={`By the installs that measurement partners report.${isIncluding ? '' : ' People without an id are not left out.'}`}
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
            of="ad set"
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
        <TogetherNote
          include={groups}
          exclude={excluded}
          target={target}
          leavesOutInstalled={leavesOutInstalled}
        />
        {!isIncluding && (excluded.length > 0 || leavesOutInstalled || withoutId !== 'bid') && (
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

interface TogetherNoteProps {
  include: readonly (readonly string[])[];
  exclude: readonly string[];
  target: Target | undefined;
  leavesOutInstalled: boolean;
}

/** Says that the target, or the choice to leave out people who have the app, leaves out what the ad set includes. */
function TogetherNote({ include, exclude, target, leavesOutInstalled }: TogetherNoteProps) {
  const audiences = knownData(useLoadable(audiencesQuery));
  // The form refuses this by itself.
  if (contradictedGroup({ include, exclude })) return null;
  const all = [...include, ...(target?.audience_include ?? [])];
  const left = [...exclude, ...(target?.audience_exclude ?? [])];
  const installed = audiences?.find((one) => one.is_installed && one.app?.uuid === target?.app.uuid)?.uuid;
  const text = contradictedGroup({ include: all, exclude: left })
    ? 'The ad set and its target together include and leave out the same audience: no bid can match.'
    : leavesOutInstalled &&
        installed !== undefined &&
        contradictedGroup({ include: all, exclude: [...left, installed] })
      ? 'The ad set includes the people who have the app, and leaves them out: no bid can match.'
      : null;
  if (text === null) return null;
  return (
    <Alert color="orange" variant="light" p="xs" role="status">
      {text}
    </Alert>
  );
}
