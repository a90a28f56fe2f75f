import {
  type Audience,
  AudienceInput,
  type AudienceKind,
  type HashedLetters,
  type IdForm,
} from '@bidwell/contract/audiences/schema';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { TextInput } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { createAudience, updateAudience } from '../../entities/audiences/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FoldedFields } from '../../ui/form/folded-fields.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { TitleFields } from '../../ui/form/title-fields.tsx';

const kindOptions = [
  { value: 'list', label: 'A list: files and calls' },
  { value: 'url', label: 'A file at an address, read daily' },
] as const;
const formOptions = [
  { value: 'auto', label: 'Told by their length' },
  { value: 'plain', label: 'Plain ids' },
  { value: 'md5', label: 'MD5' },
  { value: 'sha1', label: 'SHA-1' },
  { value: 'sha256', label: 'SHA-256' },
] as const;
const letterOptions = [
  { value: 'either', label: 'Either: both are looked up' },
  { value: 'lower', label: 'Lower case' },
  { value: 'upper', label: 'Upper case' },
] as const;

interface Values extends Record<string, unknown> {
  name: string;
  description: string;
  kind: AudienceKind;
  source_url: string;
  id_form: IdForm;
  hashed_letters: HashedLetters;
}

const valuesOf = (audience?: Audience): Values => ({
  name: audience?.name ?? '',
  description: audience?.description ?? '',
  kind: audience?.kind ?? 'list',
  source_url: audience?.source_url ?? '',
  id_form: audience?.id_form ?? 'auto',
  hashed_letters: audience?.hashed_letters ?? 'either',
});

const inputOf = ({ kind, source_url: address, ...values }: Values) => ({
  ...values,
  kind,
  source_url: kind === 'url' ? address : null,
});

const checkSchema = schemaResolver(AudienceInput, { sync: true });

function validate(values: Values) {
  const errors = checkSchema(inputOf(values)) as Record<string, string>;
  return values.kind === 'url' && values.source_url.trim() === ''
    ? { ...errors, source_url: audienceMessages.urlRequired }
    : errors;
}

/** Asks for an audience, or for changes of one. */
export function AudienceForm({ audience, onDone }: { audience?: Audience; onDone: () => void }) {
  const { form, busy, submit } = useSavedForm<Values>({
    initialValues: valuesOf(audience),
    validate,
    send: (values) => {
      const { kind, ...input } = AudienceInput.parse(inputOf(values));
      return audience
        ? updateAudience(audience.uuid, input)
        : createAudience({ ...input, kind: kind === 'url' ? 'url' : 'list' });
    },
    done: consoleMessages.saved('Audience'),
    onSaved: onDone,
  });
  const { kind, id_form: idForm, hashed_letters: letters } = form.values;
  return (
    <DialogForm onSubmit={submit}>
      <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
      {!audience && <Choice label="Ids come from" data={kindOptions} {...form.getInputProps('kind')} />}
      {kind === 'url' && (
        <TextInput
          label="Address of the file"
          description="https, port 443 or 8443. Each reading replaces all ids; one that fails changes nothing."
          placeholder="https://files.example.com/ids.csv.gz"
          withAsterisk
          {...form.getInputProps('source_url')}
        />
      )}
      <FoldedFields label="Form of the ids" isUsed={idForm !== 'auto' || letters !== 'either'}>
        <Choice
          label="Ids in files"
          description="32 digits are an MD5 or an id without hyphens; the length says what the others are"
          data={formOptions}
          {...form.getInputProps('id_form')}
        />
        <Choice
          label="Letters of the ids before they were hashed"
          data={letterOptions}
          {...form.getInputProps('hashed_letters')}
        />
      </FoldedFields>
      <FormButtons action={audience ? 'Save' : 'Add audience'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}
