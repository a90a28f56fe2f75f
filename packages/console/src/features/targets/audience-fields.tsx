import { AudienceGroups } from '../../entities/audiences/audience-groups.tsx';
import { AudienceSelect } from '../../entities/audiences/audience-select.tsx';
import { FoldedFields } from '../../ui/form/folded-fields.tsx';
import { Muted } from '../../ui/layout/text.tsx';
import type { FieldsProps } from './target-fields.tsx';

/** Audiences to include and to exclude; folded until used. `field` is the field that is focused at first. */
export function AudienceFields({ form, field }: FieldsProps & { field: string | undefined }) {
  const { audience_include: included, audience_exclude: excluded } = form.values;
  const isUsed =
    included.length > 0 ||
    excluded.length > 0 ||
    Boolean(form.errors['audience_include'] ?? form.errors['audience_exclude']) ||
    field === 'audience_include' ||
    field === 'audience_exclude';
  return (
    <FoldedFields label="Audiences" isUsed={isUsed}>
      <Muted>
        They count in addition to the audiences of the ad set: a person has to fit both. An audience that
        either of them leaves out is left out.
      </Muted>
      <AudienceGroups
        value={included}
        onChange={(groups) => form.setFieldValue('audience_include', groups)}
        error={textOf(form.errors['audience_include'])}
        path="audience_include"
        of="target"
      />
      <AudienceSelect
        label="Leave out people in any of"
        placeholder="No one"
        value={excluded}
        onChange={(uuids) => form.setFieldValue('audience_exclude', uuids)}
        error={textOf(form.errors['audience_exclude'])}
        path="audience_exclude"
      />
    </FoldedFields>
  );
}

const textOf = (error: unknown): string | undefined => (typeof error === 'string' ? error : undefined);
