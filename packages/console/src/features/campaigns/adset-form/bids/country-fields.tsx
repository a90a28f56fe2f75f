import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import type { CountrySettings } from '@bidwell/contract/adsets/country-settings';
import type { Target } from '@bidwell/contract/targets/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { Box, Stack, Text } from '@mantine/core';
import { CountryInput } from '../../../../entities/finance/code-inputs.tsx';
import { ErrorText } from '../../../../ui/form/error-text.tsx';
import { MoneyInput } from '../../../../ui/form/money-input.tsx';
import { RemovableRow } from '../../../../ui/form/removable-row.tsx';
import { SmallButton } from '../../../../ui/layout/buttons.tsx';
import { Field } from '../../form/field.tsx';
import type { AdsetFieldsProps } from '../adset-fields-props.ts';

/** Bids of single countries in place of the ad set's own, and their daily budgets, one country in a row. */
export function CountryFields({
  values,
  onChange,
  errors,
  prefix = '',
  campaignKind,
  target,
}: AdsetFieldsProps & { campaignKind?: CampaignKind | undefined; target?: Target | undefined }) {
  const { countries } = values;
  // What an ad set cannot have stays in sight, so that it can be removed.
  const hasInstallPrice =
    campaignKind !== 're_engagement' || countries.some(({ bet_cpi: cpi }) => cpi !== null);
  const outside = target === undefined ? [] : countriesOutside(target, countries);
  const set = (next: CountrySettings[]) => onChange({ countries: next });
  const change = (index: number, changes: Partial<CountrySettings>) =>
    set(countries.map((one, at) => (at === index ? { ...one, ...changes } : one)));
  return (
    <Field path={`${prefix}countries`}>
      <Stack gap="xs" role="group" aria-label="Bids and budgets by country">
        <Text size="sm" fw={500}>
          Bids and budgets by country
        </Text>
        {countries.length > 0 && (
          <Text size="xs" c="dimmed">
            An empty bid is the ad set’s own. A daily budget limits what the ad set spends in the country in a
            day; its other budgets hold as well.
          </Text>
        )}
        {countries.map((one, index) => (
          <RemovableRow
            key={index}
            remove={`Remove ${one.country || 'this country'}`}
            hasText
            onRemove={() => set(countries.filter((_one, at) => at !== index))}
            align="flex-end"
          >
            <CountryInput
              w={{ base: '100%', xs: 210 }}
              label="Country"
              value={one.country}
              onChange={(country) => change(index, { country })}
              required
            />
            <Box w={130}>
              <MoneyInput
                label="CPM bid there"
                value={one.bet_cpm}
                onChange={(bet_cpm) => change(index, { bet_cpm })}
              />
            </Box>
            {hasInstallPrice && (
              <Box w={130}>
                <MoneyInput
                  label="Target CPI there"
                  value={one.bet_cpi}
                  onChange={(bet_cpi) => change(index, { bet_cpi })}
                />
              </Box>
            )}
            <Box w={130}>
              <MoneyInput
                label="Daily budget there"
                placeholder="Unlimited"
                value={one.daily_budget ?? null}
                onChange={(dollars) => change(index, { daily_budget: dollars ?? undefined })}
              />
            </Box>
          </RemovableRow>
        ))}
        {target !== undefined && outside.length > 0 && (
          <Text size="xs" c="var(--mantine-color-orange-text)" role="status">
            {outside.join(', ')}: not a country of “{target.name}”, so{' '}
            {outside.length === 1 ? 'its settings have' : 'their settings have'} no effect.
          </Text>
        )}
        {errors['countries'] !== undefined && <ErrorText>{errors['countries']}</ErrorText>}
        {countries.length < limits.countryGoalsMax && (
          <SmallButton
            style={{ alignSelf: 'flex-start' }}
            onClick={() => set([...countries, { country: '', bet_cpm: null, bet_cpi: null }])}
          >
            Add a country
          </SmallButton>
        )}
      </Stack>
    </Field>
  );
}

/** The countries with settings in which the target allows no bid. Pure. */
function countriesOutside(
  { location_include: included, location_exclude: excluded }: Target,
  countries: readonly CountrySettings[],
): string[] {
  return countries
    .map(({ country }) => country.toUpperCase())
    .filter(
      (country) =>
        country.length === 2 &&
        ((included.length > 0 && !included.includes(country)) || excluded.includes(country)),
    );
}
