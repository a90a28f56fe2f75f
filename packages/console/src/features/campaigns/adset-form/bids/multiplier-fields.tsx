import {
  type BidMultiplier,
  FACTOR_MAX,
  FACTOR_MIN,
  type HighestBids,
  MULTIPLIER_DIMENSIONS,
  MULTIPLIER_FORMATS,
  type MultiplierDimension,
  combinations,
  dimensionName,
  multiplierValueText,
} from '@bidwell/contract/adsets/multipliers';
import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { limits } from '@bidwell/contract/lib/limits';
import { DEVICE_TYPES } from '@bidwell/contract/reference/schema';
import { Group, NumberInput, Stack, Table, Text, TextInput } from '@mantine/core';
import { bidsOf, highestPrice } from '../../../../entities/campaigns/highest-price.ts';
import { audiencesQuery } from '../../../../entities/audiences/queries.ts';
import { sspsQuery } from '../../../../entities/reference/queries.ts';
import { formatMoney, formatNumber } from '../../../../lib/format/format.ts';
import { mapped, useKnown, useLoadable } from '../../../../lib/loadable.ts';
import { Choice } from '../../../../ui/form/choice.tsx';
import { CountryInput } from '../../../../entities/finance/code-inputs.tsx';
import { ErrorText } from '../../../../ui/form/error-text.tsx';
import { pickerProps } from '../../../../ui/form/picker/picker-options.tsx';
import { RemovableRow } from '../../../../ui/form/removable-row.tsx';
import { SmallButton } from '../../../../ui/layout/buttons.tsx';
import { Caption } from '../../../../ui/layout/text.tsx';
import { Field } from '../../form/field.tsx';
import type { AdsetValues } from '../adset-values.ts';
import type { AdsetFieldsProps } from '../adset-fields-props.ts';
import { SuggestedMultipliers } from './suggested-multipliers.tsx';

const dimensions = MULTIPLIER_DIMENSIONS.map((value) => ({ value, label: dimensionName(value) }));
const hours = Array.from({ length: 24 }, (_, hour) => ({
  value: String(hour),
  label: `${hour}–${hour + 1}`,
}));

/** Factors on the bids of an ad set, with the prices that they give, and factors that its reports suggest. */
export function MultiplierFields({
  values,
  onChange,
  errors,
  prefix = '',
  uuid,
  campaignKind,
}: AdsetFieldsProps & { uuid: string | null; campaignKind?: CampaignKind | undefined }) {
  const { bid_multipliers: all, bet_cpm: cpm } = values;
  const whole = all.filter(({ value }) => value !== '');
  const names = useAudienceNames(all);
  const set = (bid_multipliers: BidMultiplier[]) => onChange({ bid_multipliers });
  return (
    <Field path={`${prefix}bid_multipliers`}>
      <Stack gap="xs" role="group" aria-label="Bid multipliers">
        <Text size="sm" fw={500}>
          Bid multipliers
        </Text>
        <Text size="xs" c="dimmed">
          They multiply the CPM bid, so the highest price too; together from ×{FACTOR_MIN} to ×{FACTOR_MAX}.
          {all.length > 0 &&
            cpm !== null &&
            ` No bid is above ${formatMoney(highestPrice(values, cpm))} per 1000 impressions.`}
        </Text>
        {all.map((one, index) => (
          <MultiplierRow
            key={index}
            multiplier={one}
            name={valueName(one, names)}
            onChange={(changed) => set(all.map((other, at) => (at === index ? changed : other)))}
            onRemove={() => set(all.filter((_other, at) => at !== index))}
          />
        ))}
        {all.filter(({ dimension }) => dimension === 'audience').length > 1 && (
          <Caption>A person in several audiences has the highest of their factors.</Caption>
        )}
        {errors['bid_multipliers'] !== undefined && <ErrorText>{errors['bid_multipliers']}</ErrorText>}
        <Group gap="xs">
          {all.length < limits.multipliersMax && (
            <SmallButton onClick={() => set([...all, { dimension: 'country', value: '', factor: 1 }])}>
              Add a multiplier
            </SmallButton>
          )}
        </Group>
        {whole.length > 0 && cpm !== null && (
          <PriceTable multipliers={whole} {...bidsOf(values, cpm)} algo={values.algo} names={names} />
        )}
        {/* They are suggested by installs. */}
        {uuid !== null && campaignKind !== 're_engagement' && (
          <SuggestedMultipliers adset={uuid} algorithm={values.algo} values={all} onUse={set} />
        )}
      </Stack>
    </Field>
  );
}

/** Names of audiences by their id; empty until they are known. */
type AudienceNames = ReadonlyMap<string, string>;

function useAudienceNames(multipliers: readonly BidMultiplier[]): AudienceNames {
  const enabled = multipliers.some(({ dimension }) => dimension === 'audience');
  const audiences = useKnown({ ...audiencesQuery, enabled });
  return new Map(audiences?.map(({ uuid, name }) => [uuid, name]));
}

interface MultiplierRowProps {
  multiplier: BidMultiplier;
  /** Its value as people read it. */
  name: string;
  onChange: (multiplier: BidMultiplier) => void;
  onRemove: () => void;
}

function MultiplierRow({ multiplier, name, onChange, onRemove }: MultiplierRowProps) {
  const { dimension, value, factor } = multiplier;
  return (
    <RemovableRow
      remove={`Remove the multiplier of ${dimensionName(dimension).toLowerCase()} ${name}`}
      onRemove={onRemove}
      align="flex-end"
    >
      <Choice
        w={{ base: '100%', xs: 140 }}
        label="By"
        data={dimensions}
        value={dimension}
        onChange={(next) => next && onChange({ ...multiplier, dimension: next, value: FIRST[next] ?? '' })}
      />
      <ValueInput
        dimension={dimension}
        value={value}
        onChange={(next) => onChange({ ...multiplier, value: next })}
      />
      <NumberInput
        w={{ base: 84, xs: 100 }}
        label="Factor"
        prefix="×"
        step={0.05}
        min={FACTOR_MIN}
        max={FACTOR_MAX}
        decimalScale={2}
        value={factor}
        onChange={(next) => onChange({ ...multiplier, factor: Number(next) })}
      />
    </RemovableRow>
  );
}

/** The value with which a dimension begins, of those that are chosen from a list. */
const FIRST: Partial<Record<MultiplierDimension, string>> = {
  format: 'Banner',
  hour: '0',
  device_type: 'Phone',
};

interface ValueInputProps {
  dimension: MultiplierDimension;
  value: string;
  onChange: (value: string) => void;
}

function ValueInput({ dimension, value, onChange }: ValueInputProps) {
  const ssps = useLoadable({ ...sspsQuery, enabled: dimension === 'exchange' });
  const audiences = useLoadable({ ...audiencesQuery, enabled: dimension === 'audience' });
  // On a phone next to the factor, in a line of their own.
  const widths = { audience: 240, country: 210 } as Partial<Record<MultiplierDimension, number>>;
  const common = {
    w: { base: 'calc(100% - 94px)', xs: widths[dimension] ?? 170 },
    label: dimensionName(dimension),
    value,
  };
  const choose = { ...common, onChange: (next: string | null) => onChange(next ?? '') };
  if (dimension === 'format') return <Choice {...choose} data={[...MULTIPLIER_FORMATS]} />;
  if (dimension === 'hour') return <Choice {...choose} data={hours} />;
  if (dimension === 'device_type') return <Choice {...choose} data={[...DEVICE_TYPES]} />;
  const chosen = value === '' ? [] : [value];
  if (dimension === 'audience') {
    const options = mapped(audiences, (known) =>
      known.map(({ uuid, name }) => ({ value: uuid, label: name })),
    );
    return (
      <Choice {...choose} searchable {...pickerProps(options, { emptyText: 'No audience yet' }, chosen)} />
    );
  }
  if (dimension === 'exchange') {
    const options = mapped(ssps, (known) => known.map((ssp) => ({ value: ssp.value, label: ssp.name })));
    return (
      <Choice {...choose} searchable {...pickerProps(options, { emptyText: 'No exchange yet' }, chosen)} />
    );
  }
  if (dimension === 'country') return <CountryInput {...common} onChange={onChange} required />;
  return (
    <TextInput
      {...common}
      placeholder="com.example.game"
      maxLength={limits.bundleMax}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

const SHOWN_MAX = 12;

/** The prices of the combinations of values that have multipliers, the highest first. */
function PriceTable({
  multipliers,
  bids,
  areAll,
  algo,
  names,
}: {
  multipliers: readonly BidMultiplier[];
  bids: HighestBids;
  areAll: boolean;
  algo: AdsetValues['algo'];
  names: AudienceNames;
}) {
  const { shown, count } = combinations(multipliers, bids, SHOWN_MAX);
  if (shown.length === 0)
    return (
      <Text size="xs" c="dimmed">
        {formatNumber(count)} combinations: too many for a table of prices.
      </Text>
    );
  return (
    <Table.ScrollContainer minWidth={0} maw={620}>
      <Table fz="xs" aria-label="Prices with the multipliers">
        <Table.Thead>
          <Table.Tr>
            {shown[0]!.values.map(({ dimension }) => (
              <Table.Th key={dimension}>{dimensionName(dimension)}</Table.Th>
            ))}
            <Table.Th ta="right">Factor</Table.Th>
            <Table.Th ta="right">
              {algo === null || algo === 'Manual CPM' ? 'CPM bid' : 'CPM bid at most'}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map(({ values, factor, cpm }) => (
            <Table.Tr key={values.map(({ value }) => value ?? '').join('\n')}>
              {values.map(({ dimension, value }) => (
                <Table.Td key={dimension}>
                  {value === null ? 'Any other' : valueName({ dimension, value }, names)}
                </Table.Td>
              ))}
              <Table.Td ta="right">×{formatNumber(factor, 2)}</Table.Td>
              <Table.Td ta="right">{formatMoney(cpm)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {!areAll && <Caption>Other bundles with bids of their own have these, with the same factors.</Caption>}
      {count > shown.length && (
        <Text size="xs" c="dimmed">
          The highest {shown.length} of {formatNumber(count)} combinations.
        </Text>
      )}
    </Table.ScrollContainer>
  );
}

/** The value of a multiplier; of an audience its name. */
const valueName = (one: Pick<BidMultiplier, 'dimension' | 'value'>, names: AudienceNames): string =>
  one.dimension === 'audience' ? (names.get(one.value) ?? '') : multiplierValueText(one);
