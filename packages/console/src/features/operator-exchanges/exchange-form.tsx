import { type Ssp, SspInput, exchangeVersion } from '@bidwell/contract/operator/schema';
import { Button, Group, Stack } from '@mantine/core';
import { readAgain } from '../../lib/api/query-client.ts';
import { exchangesQuery, saveExchange } from '../../entities/exchanges/queries.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { isChanged } from '../../ui/form/edited/is-changed.ts';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { ExchangeFields, type ExchangeValues } from './exchange-fields.tsx';
import { ProfileChanges } from './profile-changes.tsx';
import { errorsOf } from '../../lib/field-errors.ts';

/** The settings of an exchange; disabled for operators who may not change them. */
export function ExchangeForm({ exchange, mayChange }: { exchange: Ssp; mayChange: boolean }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm<FormValues, Ssp, Ssp>({
    initialValues: valuesOf(exchange),
    entity: {
      saved: exchange,
      valuesOf,
      version: exchangeVersion,
      reload: async () =>
        (await readAgain(exchangesQuery)).ssps.find(({ slug }) => slug === exchange.slug) ?? exchange,
    },
    validate: (values) => errorsOf(SspInput, inputOf(values)),
    send: (values, version) => saveExchange(exchange.slug, SspInput.parse(inputOf(values)), version),
    done: 'Saved. Bidders apply it at once.',
    // The keys are stored, and not shown.
    onSaved: (changed) => {
      const after = valuesOf(changed);
      form.setInitialValues(after);
      form.setValues(after);
      form.resetDirty(after);
    },
  });
  const isDirty = isChanged(form);
  const change = (changes: Partial<ExchangeValues>) => {
    form.setValues(changes);
    for (const field of Object.keys(changes)) form.clearFieldError(field);
  };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard when={isDirty && !busy} />
      <ProfileChanges exchange={exchange}>
        {mayChange && (
          <SecondaryButton size="xs" onClick={() => change(documentedValuesOf(exchange))}>
            Fill in what the documentation says
          </SecondaryButton>
        )}
      </ProfileChanges>
      <Stack>
        {changedElsewhere}
        <ExchangeFields
          values={form.values}
          errors={form.errors}
          hasKeys={exchange.has_price_keys}
          disabled={!mayChange}
          onChange={change}
        />
        {mayChange && (
          <Group justify="flex-end">
            {isDirty && <SecondaryButton onClick={() => form.reset()}>Undo changes</SecondaryButton>}
            <Button type="submit" loading={busy} disabled={!isDirty}>
              Save settings
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** With whether it is on, which its switch changes. */
type FormValues = ExchangeValues & Pick<Ssp, 'active'>;

function valuesOf(exchange: Ssp): FormValues {
  const {
    slug: _slug,
    secret: _secret,
    path: _path,
    has_price_keys: _keys,
    previous_secret_until: _until,
    profile_changes: _changes,
    ...settings
  } = exchange;
  return { ...settings, price_encryption_key: '', price_integrity_key: '' };
}

/** The values of the exchange's current documentation, for the settings that differ from it. */
function documentedValuesOf({ profile_changes: changes }: Ssp): Partial<ExchangeValues> {
  return Object.fromEntries(changes.map(({ field, documented }) => [field, documented]));
}

/** The settings to send: without the secret and empty keys, which stay as they are. */
function inputOf({
  price_encryption_key: encryption,
  price_integrity_key: integrity,
  ...settings
}: FormValues) {
  return {
    ...settings,
    ...(encryption.trim() !== '' && { price_encryption_key: encryption }),
    ...(integrity.trim() !== '' && { price_integrity_key: integrity }),
  };
}
