import type { SspInput } from '@bidwell/contract/operator/schema';
import { Checkbox, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { FormSection } from '../../ui/form/form-section.tsx';
import {
  auctionOptions,
  chargeOptions,
  deviceNoticeOptions,
  fieldTexts,
  profileOptions,
  priceFormatOptions,
  unreadableOptions,
} from './exchange-text.ts';
import { profileOf } from '@bidwell/contract/operator/exchange-profiles';
import type { ProfileSlug } from '@bidwell/contract/operator/exchange-rules';
import { PriceKeyFields } from './price-key-fields.tsx';
import { ProfileFacts } from './profile-facts.tsx';

/** The settings as the form holds them. Keys are empty unless they are replaced. */
export type ExchangeValues = Omit<
  SspInput,
  'profile' | 'secret' | 'active' | 'price_encryption_key' | 'price_integrity_key'
> & { profile: ProfileSlug; price_encryption_key: string; price_integrity_key: string };

interface ExchangeFieldsProps {
  values: ExchangeValues;
  errors: FormErrors;
  /** Whether keys of encrypted prices are stored. */
  hasKeys: boolean;
  disabled: boolean;
  onChange: (changes: Partial<ExchangeValues>) => void;
}

/** The fields of an exchange's settings, by subject. */
export function ExchangeFields(props: ExchangeFieldsProps) {
  return (
    <>
      <IdentityFields {...props} />
      <ProfileField {...props} />
      <LimitFields {...props} />
      <PriceFields {...props} />
      <MacroFields {...props} />
    </>
  );
}

/** Properties of the field of a setting, by its kind. */
function fieldsOf({ values, errors, disabled, onChange }: ExchangeFieldsProps) {
  const common = (name: keyof ExchangeValues) => ({ name, disabled, error: errors[name], 'data-path': name });
  return {
    text: (name: 'name' | 'seat' | 'click_macro' | 'price_macro' | 'loss_macro') => ({
      ...common(name),
      value: values[name],
      onChange: (event: { currentTarget: HTMLInputElement }) =>
        onChange({ [name]: event.currentTarget.value }),
    }),
    choice: (
      name: 'profile' | 'charge_on' | 'auction_type' | 'price_format' | 'unreadable_price' | 'device_notices',
    ) => ({
      ...common(name),
      value: values[name],
      allowDeselect: false,
      onChange: (value: string | null) => onChange({ [name]: value } as Partial<ExchangeValues>),
    }),
    number: (name: 'timeout_ms' | 'requests_per_second' | 'answer_bytes_max') => ({
      ...common(name),
      value: values[name] ?? '',
      allowDecimal: false,
      allowNegative: false,
      thousandSeparator: ' ',
      placeholder: 'No limit',
      onChange: (value: number | string) =>
        onChange({ [name]: typeof value === 'number' ? value : value === '' ? null : Number(value) }),
    }),
  };
}

function IdentityFields(props: ExchangeFieldsProps) {
  const { text } = fieldsOf(props);
  return (
    <FormSection title="Exchange">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label="Name" description="Shown in reports and in targeting." {...text('name')} />
        <TextInput
          label={fieldTexts.seat}
          description="Our seat: in bids, and in its lists of seats."
          {...text('seat')}
        />
      </SimpleGrid>
      <Checkbox
        name="open"
        label="Accept requests without the secret"
        description="Anyone can then fetch bids in the name of this exchange and have them charged. Only for tests."
        checked={props.values.open}
        disabled={props.disabled}
        onChange={(event) => props.onChange({ open: event.currentTarget.checked })}
      />
    </FormSection>
  );
}

/** The exchange whose rules bids follow, and what is known of it. */
function ProfileField(props: ExchangeFieldsProps) {
  const { choice } = fieldsOf(props);
  return (
    <FormSection title="Profile">
      <Select
        label="Exchange"
        description="Bids follow its rules below. The settings of this page stay as they are."
        data={profileOptions}
        {...choice('profile')}
      />
      <ProfileFacts profile={profileOf(props.values.profile)} />
    </FormSection>
  );
}

function LimitFields(props: ExchangeFieldsProps) {
  const { number } = fieldsOf(props);
  return (
    <FormSection title="Limits">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <NumberInput
          label="Requests per second"
          description="For all bidders together. Of more requests, the most valuable are read; the others get no bid."
          {...number('requests_per_second')}
        />
        <NumberInput
          label={`${fieldTexts.timeout_ms}, ms`}
          description="Later bids are not sent, even if a request allows more time or does not say."
          {...number('timeout_ms')}
        />
        <NumberInput
          label={`${fieldTexts.answer_bytes_max}, bytes`}
          description="A bid that would make the response longer is not sent."
          {...number('answer_bytes_max')}
        />
      </SimpleGrid>
    </FormSection>
  );
}

function PriceFields(props: ExchangeFieldsProps) {
  const { choice } = fieldsOf(props);
  const { values, errors, hasKeys, disabled, onChange } = props;
  return (
    <FormSection title="Prices">
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Select
          label={fieldTexts.auction_type}
          description="Second price bids can be higher, because they pay less than the bid."
          data={auctionOptions}
          {...choice('auction_type')}
        />
        <Select
          label={fieldTexts.charge_on}
          description="The event that charges the advertiser."
          data={chargeOptions}
          {...choice('charge_on')}
        />
        <Select
          label={fieldTexts.price_format}
          description="How notices give the clearing price."
          data={priceFormatOptions}
          {...choice('price_format')}
        />
        <Select
          label="When a price cannot be read"
          description="Such notices are listed under Unreadable prices."
          data={unreadableOptions}
          {...choice('unreadable_price')}
        />
        <Select
          label="Notices called by the device"
          description="Their price never lowers a charge, and neither does the price of an impression."
          data={deviceNoticeOptions}
          {...choice('device_notices')}
        />
      </SimpleGrid>
      {values.price_format === 'plain' && (
        <Checkbox
          name="decimal_comma"
          label="Prices have a decimal comma"
          description="2,5 is read as 2.5. Without it, such a price cannot be read."
          checked={values.decimal_comma}
          disabled={disabled}
          onChange={(event) => onChange({ decimal_comma: event.currentTarget.checked })}
        />
      )}
      {values.price_format !== 'plain' && !disabled && (
        <PriceKeyFields values={values} errors={errors} hasKeys={hasKeys} onChange={onChange} />
      )}
    </FormSection>
  );
}

function MacroFields(props: ExchangeFieldsProps) {
  const { text } = fieldsOf(props);
  return (
    <FormSection title="Macros">
      <SimpleGrid cols={{ base: 1, sm: 3 }}>
        <TextInput
          label={fieldTexts.price_macro}
          description="Replaced by the clearing price."
          {...text('price_macro')}
        />
        <TextInput
          label="Loss macro"
          description="Replaced by the reason of a loss."
          {...text('loss_macro')}
        />
        <TextInput
          label="Click macro"
          description="Put before encoded click addresses."
          placeholder="None"
          {...text('click_macro')}
        />
      </SimpleGrid>
    </FormSection>
  );
}
