import type { CampaignKind } from '@bidwell/contract/campaigns/kind';
import { Box, Group, Paper, Skeleton, Switch, Text, Tooltip, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight, IconCopy, IconTrash } from '@tabler/icons-react';
import { Suspense } from 'react';
import { IconButton } from '../../../ui/layout/buttons.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';
import { type PriceSettings, highestPrice } from '../../../entities/campaigns/highest-price.ts';
import { formatMoney } from '../../../lib/format/format.ts';
import { Caption } from '../../../ui/layout/text.tsx';
import { AdsetFields } from './adset-fields.tsx';
import type { AdsetOptions } from './adset-options.ts';
import type { AdsetValues } from './adset-values.ts';
import type { AdsetFormItem } from '../form/campaign-form-values.ts';
import { Field } from '../form/field.tsx';

const ForecastPanel = lazyPart(() => import('../forecast/forecast-panel.tsx'), 'ForecastPanel');

interface AdsetCardProps {
  adset: AdsetFormItem;
  /** Index in the form, from 0. */
  index: number;
  opened: boolean;
  onToggle: () => void;
  onChange: (changes: Partial<AdsetValues>) => void;
  onDuplicate: () => void;
  onRemove: () => void;
  /** Messages by field of the ad set. */
  errors: Readonly<Record<string, string>>;
  options: AdsetOptions;
  appUuid: string;
  /** Whether the campaign has frequency caps. */
  isCampaignCapped: boolean;
  campaignKind: CampaignKind;
}

/** An ad set in the campaign form: a summary line that expands to its fields. */
export function AdsetCard(props: AdsetCardProps) {
  const { adset, index, opened, onToggle, onChange, errors } = props;
  const { values } = adset;
  const title = values.name || `Ad set ${index + 1}`;
  const errorCount = Object.keys(errors).length;
  const Chevron = opened ? IconChevronDown : IconChevronRight;
  return (
    <Paper withBorder role="group" aria-label={title}>
      <Group justify="space-between" wrap="nowrap" p="sm" gap="xs">
        <UnstyledButton onClick={onToggle} aria-expanded={opened} style={{ flexGrow: 1, minWidth: 0 }}>
          <Group gap="xs" wrap="nowrap">
            <Chevron size={16} style={{ flexShrink: 0 }} />
            <Box style={{ minWidth: 0 }}>
              <Text size="sm" fw={600} truncate>
                {title}
                {adset.uuid === null && (
                  <Caption span ml={6} fw={400}>
                    New
                  </Caption>
                )}
              </Text>
              <Text size="xs" c={errorCount > 0 ? 'var(--mantine-color-error)' : 'dimmed'} truncate>
                {errorCount > 0
                  ? `${errorCount === 1 ? 'One field needs' : `${errorCount} fields need`} a look`
                  : adsetSummary(values)}
              </Text>
            </Box>
          </Group>
        </UnstyledButton>
        <Group gap={4} wrap="nowrap">
          <Field path={`adsets.${index}.status`}>
            <Switch
              size="xs"
              aria-label={`${title} is active`}
              checked={values.status === 'Active'}
              onChange={(event) => onChange({ status: event.currentTarget.checked ? 'Active' : 'Paused' })}
            />
          </Field>
          <Tooltip label="Duplicate">
            <IconButton onClick={props.onDuplicate} aria-label={`Duplicate ${title}`}>
              <IconCopy size={16} />
            </IconButton>
          </Tooltip>
          <Tooltip label="Remove from the campaign">
            <IconButton onClick={props.onRemove} aria-label={`Remove ${title}`}>
              <IconTrash size={16} />
            </IconButton>
          </Tooltip>
        </Group>
      </Group>
      {opened && (
        <Box p="md" pt="xs">
          <AdsetFields
            values={values}
            onChange={onChange}
            errors={errors}
            prefix={`adsets.${index}.`}
            options={props.options}
            appUuid={props.appUuid}
            uuid={adset.uuid}
            isCampaignCapped={props.isCampaignCapped}
            campaignKind={props.campaignKind}
          />
          <Box mt="md">
            <Suspense fallback={<Skeleton height={300} />}>
              <ForecastPanel values={values} uuid={adset.uuid} campaignKind={props.campaignKind} />
            </Suspense>
          </Box>
        </Box>
      )}
    </Paper>
  );
}

/** Algorithm, prices and daily budget of an ad set in one line. */
export function adsetSummary(
  values: Pick<AdsetValues, 'algo' | 'bet_cpm' | 'bet_cpi' | 'cpa' | 'roas' | 'daily_budget_const'> &
    PriceSettings,
): string {
  if (values.algo === null || values.bet_cpm === null) return 'Not filled in yet';
  const goal = goalText(values);
  const budget = values.daily_budget_const ? `, ${formatMoney(values.daily_budget_const)} a day` : '';
  return `${values.algo}, ${goal}CPM up to ${formatMoney(highestPrice(values, values.bet_cpm))}${budget}`;
}

function goalText({
  algo,
  bet_cpi: cpi,
  cpa,
  roas,
}: Pick<AdsetValues, 'algo' | 'bet_cpi' | 'cpa' | 'roas'>): string {
  if (algo === 'Target CPI' && cpi) return `CPI ${formatMoney(cpi)}, `;
  if (algo === 'Target CPA' && cpa) return `CPA ${formatMoney(cpa)}, `;
  return algo === 'Target ROAS' && roas ? `ROAS ${roas}%, ` : '';
}
