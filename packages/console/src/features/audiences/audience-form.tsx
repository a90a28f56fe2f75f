import {
  type Audience,
  AudienceInput,
  type AudienceKind,
  type AudienceRule,
  type HashedLetters,
  type IdForm,
} from '@bidwell/contract/audiences/schema';
import { audienceMessages } from '@bidwell/contract/audiences/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { NumberInput, TextInput } from '@mantine/core';
import { type UseFormReturnType, schemaResolver } from '@mantine/form';
import type { z } from 'zod';
import { AppSelect } from '../../entities/apps/app-select.tsx';
import { appsQuery } from '../../entities/apps/queries.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { createAudience, updateAudience } from '../../entities/audiences/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FoldedFields } from '../../ui/form/folded-fields.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { TitleFields } from '../../ui/form/title-fields.tsx';

/** An input that is not checked yet. */
type AudienceDraft = z.input<typeof AudienceInput>;

const kindOptions = [
  { value: 'list', label: 'A list: files and calls' },
  { value: 'url', label: 'A file at an address, read daily' },
  { value: 'live', label: 'People of an app, as partners report' },
] as const;
const formOptions = [
  { value: 'auto', label: 'By their length' },
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

const ruleOptions = [
  { value: 'installed', label: 'Installed the app' },
  { value: 'paid', label: 'Paid in the app' },
  { value: 'inactive', label: 'Did nothing in the app lately' },
  { value: 'event', label: 'Had an event, and not another one' },
] as const;

interface Values extends Record<string, unknown> {
  name: string;
  description: string;
  kind: AudienceKind;
  source_url: string;
  id_form: IdForm;
  hashed_letters: HashedLetters;
  app_id: string;
  rule_type: AudienceRule['type'];
  days: number | string;
  event: string;
  without: string;
}

const valuesOf = (audience?: Audience): Values => ({
  name: audience?.name ?? '',
  description: audience?.description ?? '',
  kind: audience?.kind ?? 'list',
  source_url: audience?.source_url ?? '',
  id_form: audience?.id_form ?? 'auto',
  hashed_letters: audience?.hashed_letters ?? 'either',
  app_id: audience?.app?.uuid ?? '',
  rule_type: audience?.rule?.type ?? 'installed',
  days: audience?.rule ? (audience.rule.days ?? '') : 30,
  event: audience?.rule?.type === 'event' ? audience.rule.event : '',
  without: audience?.rule?.type === 'event' ? (audience.rule.without ?? '') : '',
});

/** The rule of a live audience; days that are empty are no number. */
function ruleOf({ rule_type: type, days: given, event, without }: Values): AudienceDraft['rule'] {
  const days = given === '' ? null : Number(given);
  if (type === 'installed') return { type, days };
  const needed = days ?? Number.NaN;
  return type === 'event'
    ? { type, event, without: without.trim() || null, days: needed }
    : { type, days: needed };
}

const inputOf = (values: Values): AudienceDraft => ({
  name: values.name,
  description: values.description,
  // Partners create their audiences themselves; a change names no kind.
  kind: values.kind === 'partner' ? null : values.kind,
  source_url: values.kind === 'url' ? values.source_url : null,
  app_id: values.kind === 'live' ? values.app_id : null,
  rule: values.kind === 'live' ? ruleOf(values) : null,
  id_form: values.id_form,
  hashed_letters: values.hashed_letters,
});

const checkSchema = schemaResolver(AudienceInput, { sync: true });

function validate(values: Values) {
  const found = checkSchema(inputOf(values)) as Record<string, string>;
  // The fields of a rule are fields of the form.
  const errors = Object.fromEntries(
    Object.entries(found).map(([field, message]) => [field.replace(/^rule\./, ''), message]),
  );
  return values.kind === 'url' && values.source_url.trim() === ''
    ? { ...errors, source_url: audienceMessages.urlRequired }
    : errors;
}

interface AudienceFormProps {
  /** Undefined for a new one. */
  audience?: Audience;
  onDone: () => void;
  /** Called with a new audience in place of `onDone`. */
  onAdded?: (audience: Audience) => void;
}

/** Asks for an audience, or for changes of one. */
export function AudienceForm({ audience, onDone, onAdded = onDone }: AudienceFormProps) {
  const { form, busy, submit } = useSavedForm<Values, Audience>({
    initialValues: valuesOf(audience),
    validate,
    send: (values) => {
      const input = AudienceInput.parse(inputOf(values));
      return audience ? updateAudience(audience.uuid, input) : createAudience(input);
    },
    done: consoleMessages.saved('Audience'),
    onSaved: audience ? onDone : onAdded,
  });
  const { kind, id_form: idForm, hashed_letters: letters } = form.values;
  return (
    <DialogForm onSubmit={submit}>
      <TitleFields title={form.getInputProps('name')} description={form.getInputProps('description')} />
      {!audience && (
        <Choice
          label="Ids come from"
          description="Audiences from AppsFlyer appear by themselves: create an API key with the scope Audience sync, and enter it there."
          data={kindOptions}
          {...form.getInputProps('kind')}
        />
      )}
      {kind === 'url' && (
        <TextInput
          label="Address of the file"
          description="https, port 443 or 8443. Each reading replaces all ids; one that fails changes nothing."
          placeholder="https://files.example.com/ids.csv.gz"
          withAsterisk
          {...form.getInputProps('source_url')}
        />
      )}
      {kind === 'live' && !audience?.is_installed && <LiveFields form={form} isNew={!audience} />}
      {kind !== 'live' && (
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
      )}
      <FormButtons action={audience ? 'Save' : 'Add audience'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

/** The app and the rule of a live audience. */
function LiveFields({ form, isNew }: { form: UseFormReturnType<Values>; isNew: boolean }) {
  const apps = useLoadable(appsQuery);
  const { rule_type: type, app_id: app } = form.values;
  return (
    <>
      {isNew && <AppSelect apps={apps} {...form.getInputProps('app_id')} value={app} />}
      <Choice label="People who" data={ruleOptions} {...form.getInputProps('rule_type')} />
      {type === 'event' && (
        <>
          <TextInput label="Event" withAsterisk {...form.getInputProps('event')} />
          <TextInput label="And not the event" {...form.getInputProps('without')} />
        </>
      )}
      <NumberInput
        label={type === 'inactive' ? 'Days without an event' : 'In the last days'}
        description={`${type === 'installed' ? 'Empty for all that are stored. ' : ''}Events are stored for 90 days, unless the operator has set another time: nothing older counts.`}
        allowDecimal={false}
        allowNegative={false}
        {...form.getInputProps('days')}
      />
    </>
  );
}
