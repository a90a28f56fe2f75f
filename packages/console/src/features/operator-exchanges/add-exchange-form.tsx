import type { ExchangeProfile } from '@bidwell/contract/operator/exchange-profiles';
import { exchangeProfiles } from '@bidwell/contract/operator/exchange-profiles';
import type { Ssp } from '@bidwell/contract/operator/schema';
import { SspInput, SspSlug } from '@bidwell/contract/operator/schema';
import { Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../lib/api/api-error.ts';
import type { ExchangeSettings } from '../../entities/exchanges/queries.ts';
import { saveExchange } from '../../entities/exchanges/queries.ts';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSave } from '../../ui/form/use-save.ts';
import { errorsOf } from './field-errors.ts';
import { PriceKeyFields } from './price-key-fields.tsx';
import { ProfileFacts } from './profile-facts.tsx';

const options = exchangeProfiles.map(({ slug, name }) => ({ value: slug, label: name }));
const [generic] = exchangeProfiles;

/** Asks for a new exchange, beginning with what is known of it; then opens its page. */
export function AddExchangeForm({ known, onDone }: { known: readonly Ssp[]; onDone: () => void }) {
  const navigate = useNavigate();
  const [profile, setProfile] = useState<ExchangeProfile>(generic!);
  const [values, setValues] = useState({ name: '', slug: '' });
  const [keys, setKeys] = useState({ price_encryption_key: '', price_integrity_key: '' });
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const choose = (slug: string | null) => {
    const chosen = exchangeProfiles.find((one) => one.slug === slug) ?? generic!;
    setProfile(chosen);
    setValues(chosen === generic ? { name: '', slug: '' } : { name: chosen.name, slug: chosen.slug });
    setErrors({});
  };
  const isEncrypted = profile.settings.price_format === 'google-encrypted';

  const { save, busy } = useSave({
    send: ({ slug, input }: { slug: string; input: ExchangeSettings }) => saveExchange(slug, input),
    done: (_saved, { input: { name } }) => `${name} is added. Hand over its address.`,
    onSaved: async (_saved, { slug }) => {
      onDone();
      await navigate({ to: `/operator/exchanges/${slug}` as string, search: { tab: 'settings' } as never });
    },
    onFailure: (error) => error instanceof ApiError && setErrors(error.fields),
  });
  const submit = () => {
    const { name, slug } = values;
    const input = { name, ...profile.settings, ...(isEncrypted && filled(keys)) };
    const found = { ...errorsOf(SspSlug, { slug }), ...errorsOf(SspInput, input) };
    if (known.some((one) => one.slug === slug)) found['slug'] = 'Another exchange has this id';
    setErrors(found);
    if (Object.keys(found).length === 0) save({ slug, input });
  };

  return (
    <DialogForm onSubmit={submit}>
      <Select
        label="Profile"
        description="The settings to begin with. They can be changed afterwards."
        data={options}
        value={profile.slug}
        allowDeselect={false}
        onChange={choose}
      />
      <ProfileFacts profile={profile} />
      <TextInput
        label="Name"
        value={values.name}
        error={errors['name']}
        onChange={(event) => setValues({ ...values, name: event.currentTarget.value })}
      />
      <TextInput
        label="Id"
        description="Part of its address and of reports. It cannot be changed later."
        value={values.slug}
        error={errors['slug']}
        onChange={(event) => setValues({ ...values, slug: event.currentTarget.value })}
      />
      {isEncrypted && (
        <PriceKeyFields
          values={keys}
          errors={errors}
          hasKeys={false}
          onChange={(changes) => setKeys({ ...keys, ...changes })}
        />
      )}
      <FormButtons action="Add" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

/** The fields that are not empty. */
function filled<Values extends Record<string, string>>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, text]) => text.trim() !== ''),
  ) as Partial<Values>;
}
