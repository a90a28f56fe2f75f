import { CapsField } from '../caps/caps-field.tsx';
import { PeopleWithoutIdField } from '../caps/people-without-id.tsx';
import { Field } from '../form/field.tsx';
import type { AdsetFieldsProps } from './adset-fields-props.ts';

/** The frequency caps of an ad set; once it or its campaign has one, also what it does with people without an id. */
export function CapsFields({
  values,
  onChange,
  errors,
  prefix = '',
  isCampaignCapped = false,
}: AdsetFieldsProps & { isCampaignCapped?: boolean | undefined }) {
  const { frequency_caps: caps, people_without_id: choice } = values;
  return (
    <>
      <Field path={`${prefix}frequency_caps`}>
        <CapsField
          of="ad set"
          value={caps}
          onChange={(frequency_caps) => onChange({ frequency_caps })}
          error={errors['frequency_caps']}
        />
      </Field>
      {(caps.length > 0 || isCampaignCapped || choice !== 'bid') && (
        <Field path={`${prefix}people_without_id`}>
          <PeopleWithoutIdField
            value={choice}
            onChange={(people_without_id) => onChange({ people_without_id })}
          />
        </Field>
      )}
    </>
  );
}
