import { type Ssp, SspInput } from '@bidwell/contract/operator/schema';
import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import { saveExchange } from '../../entities/exchanges/queries.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { ExchangeFields, type ExchangeValues } from './exchange-fields.tsx';
import { ProfileChanges } from './profile-changes.tsx';
import { errorsOf } from '../../lib/field-errors.ts';

/** The settings of an exchange; disabled for operators who may not change them. */
export function ExchangeForm({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const [saved, setSaved] = useState(() => valuesOf(exchange));
  const [values, setValues] = useState(saved);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const form = useRef<HTMLFormElement>(null);
  const isDirty = JSON.stringify(values) !== JSON.stringify(saved);

  const { save, busy } = useSave({
    send: (input: SspInput) => saveExchange(exchange.slug, input),
    done: 'Saved. Bidders apply it at once.',
    onSaved: (changed) => {
      const after = valuesOf(changed);
      setSaved(after);
      setValues(after);
    },
    onFailure: (error) => error instanceof ApiError && showErrors({ ...error.fields }),
  });
  const showErrors = (found: Readonly<Record<string, string>>) => {
    setErrors(found);
    const [first] = Object.keys(found);
    if (first) form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };
  const change = (changes: Partial<ExchangeValues>) => {
    setValues({ ...values, ...changes });
    setErrors(Object.fromEntries(Object.entries(errors).filter(([field]) => !Object.hasOwn(changes, field))));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = inputOf(values, exchange);
    const found = errorsOf(SspInput, input);
    showErrors(found);
    if (Object.keys(found).length === 0) save(input);
  };
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <LeaveGuard when={isDirty && !busy} />
      <ProfileChanges exchange={exchange}>
        {mayChange && (
          <Button size="xs" variant="default" onClick={() => change(documentedValuesOf(exchange))}>
            Fill in what the documentation says
          </Button>
        )}
      </ProfileChanges>
      <Stack>
        <ExchangeFields
          values={values}
          errors={errors}
          hasKeys={exchange.has_price_keys}
          disabled={!mayChange}
          onChange={change}
        />
        {mayChange && (
          <Group justify="flex-end">
            {isDirty && (
              <Button variant="default" onClick={() => setValues(saved)}>
                Undo changes
              </Button>
            )}
            <Button type="submit" loading={busy} disabled={!isDirty}>
              Save settings
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

function valuesOf(exchange: Ssp): ExchangeValues {
  const {
    slug: _slug,
    secret: _secret,
    path: _path,
    has_price_keys: _keys,
    previous_secret_until: _until,
    active: _active,
    profile_changes: _changes,
    ...settings
  } = exchange;
  return { ...settings, price_encryption_key: '', price_integrity_key: '' };
}

/** The settings as the exchange's documentation has them now, of those that it says otherwise. */
function documentedValuesOf({ profile_changes: changes }: Ssp): Partial<ExchangeValues> {
  return Object.fromEntries(changes.map(({ field, documented }) => [field, documented]));
}

/** The settings to send: without the secret and empty keys, which stay as they are. */
function inputOf(
  { price_encryption_key: encryption, price_integrity_key: integrity, ...settings }: ExchangeValues,
  { active }: Ssp,
) {
  return {
    ...settings,
    active,
    ...(encryption.trim() !== '' && { price_encryption_key: encryption }),
    ...(integrity.trim() !== '' && { price_integrity_key: integrity }),
  };
}
