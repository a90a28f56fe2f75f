import { limits } from '@bidwell/contract/lib/limits';
import { CountedInput, CountedTextarea } from '../../../ui/form/form-fields.tsx';
import { Field } from './field.tsx';

interface EntityTitleFieldsProps {
  values: { name: string; description: string };
  onChange: (changes: { name?: string; description?: string }) => void;
  /** Messages by field. */
  errors: Readonly<Record<string, string>>;
  /** Prefix of field names where several entities share a form. */
  prefix?: string;
  /** Label of the name; Title without one. */
  label?: string;
  /** Focuses the name when the form opens. */
  autoFocus?: boolean;
}

/** Name and description of a campaign or an ad set. */
export function EntityTitleFields(props: EntityTitleFieldsProps) {
  const { values, onChange, errors, prefix = '', label = 'Title', autoFocus = false } = props;
  return (
    <>
      <Field path={`${prefix}name`}>
        <CountedInput
          label={label}
          withAsterisk
          autoFocus={autoFocus}
          maxLength={limits.titleMax}
          value={values.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={errors['name']}
        />
      </Field>
      <Field path={`${prefix}description`}>
        <CountedTextarea
          label="Description"
          maxLength={limits.descriptionMax}
          value={values.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
          error={errors['description']}
        />
      </Field>
    </>
  );
}
