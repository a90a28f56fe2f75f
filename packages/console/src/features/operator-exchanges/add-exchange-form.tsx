import { type ExchangeProfile, exchangeProfiles } from '@bidwell/contract/operator/exchange-profiles';
import { type Ssp, SspInput, SspSlug } from '@bidwell/contract/operator/schema';
import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { isOutdated } from '../../lib/api/change-as-shown.ts';
import { type ExchangeSettings, saveExchange } from '../../entities/exchanges/queries.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { errorsOf } from '../../lib/field-errors.ts';
import { PriceKeyFields } from './price-key-fields.tsx';
import { profileOptions } from './exchange-text.ts';
import { ProfileFacts } from './profile-facts.tsx';

const [generic] = exchangeProfiles;
const empty = {
  profile: generic!.slug,
  name: '',
  slug: '',
  price_encryption_key: '',
  price_integrity_key: '',
};

const TAKEN = 'Another exchange has this id';

/** Form of a new exchange, prefilled from its profile. Then opens its page. */
export function AddExchangeForm({
  known,
  onDone,
}: {
  known: readonly Ssp[] | undefined;
  onDone: () => void;
}) {
  const navigate = useNavigate();
  const { form, busy, submit } = useSavedForm({
    initialValues: empty,
    validate: (values) => ({
      ...errorsOf(SspSlug, values),
      ...errorsOf(SspInput, inputOf(values)),
      ...(known?.some(({ slug }) => slug === values.slug) && { slug: TAKEN }),
    }),
    send: (values) => saveExchange(values.slug, inputOf(values), null),
    // Another operator may have added it since the list was read.
    onFailure: (error): boolean => {
      if (isOutdated(error)) form.setFieldError('slug', TAKEN);
      return isOutdated(error);
    },
    done: (_saved, { name }) => `${name} is added. Hand over its address.`,
    onSaved: async (_saved, { slug }) => {
      onDone();
      await navigate({ to: `/operator/exchanges/${slug}` as string, search: { tab: 'settings' } as never });
    },
  });
  const profile = profileOf(form.values.profile);
  const choose = (slug: string | null) => {
    const chosen = profileOf(slug);
    form.setValues({
      profile: chosen.slug,
      ...(chosen === generic ? { name: '', slug: '' } : { name: chosen.name, slug: chosen.slug }),
    });
    form.clearErrors();
  };
  return (
    <DialogForm onSubmit={submit}>
      <Choice
        label="Profile"
        description="The exchange whose rules bids follow, and the settings to begin with. Both can be changed afterwards."
        data={profileOptions}
        value={profile.slug}
        onChange={choose}
      />
      <ProfileFacts profile={profile} />
      <TextInput label="Name" {...form.getInputProps('name')} />
      <TextInput
        label="Id"
        description="Part of its address and of reports. It cannot be changed later."
        {...form.getInputProps('slug')}
      />
      {isEncrypted(profile) && (
        <PriceKeyFields
          values={form.values}
          errors={form.errors}
          hasKeys={false}
          onChange={(changes) => form.setValues(changes)}
        />
      )}
      <FormButtons action="Add" onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

const profileOf = (slug: string | null): ExchangeProfile =>
  exchangeProfiles.find((one) => one.slug === slug) ?? generic!;

const isEncrypted = ({ settings }: ExchangeProfile) => settings.price_format === 'google-encrypted';

/** The settings to send: the profile's, with the entered name and keys. */
function inputOf({ profile: chosen, name, slug: _slug, ...keys }: typeof empty): ExchangeSettings {
  const profile = profileOf(chosen);
  return { name, profile: profile.slug, ...profile.settings, ...(isEncrypted(profile) && filled(keys)) };
}

/** The fields that are not empty. */
function filled<Values extends Record<string, string>>(values: Values): Partial<Values> {
  return Object.fromEntries(
    Object.entries(values).filter(([, text]) => text.trim() !== ''),
  ) as Partial<Values>;
}
