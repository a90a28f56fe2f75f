import {
  ALERT_RULE_METRICS,
  ALERT_RULE_MINIMUMS,
  type AlertRule,
  AlertRuleInput,
  type AlertRuleMetric,
  type AlertRuleMinimum,
  type AlertRuleScope,
  RULE_METRICS,
  type RuleUnit,
  alertRuleVersion,
  cohortDayOf,
} from '@bidwell/contract/alerts/rules';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Group, NumberInput, Stack } from '@mantine/core';
import { type UseFormReturnType, schemaResolver } from '@mantine/form';
import { hourOptions } from '../../lib/format/hours.ts';
import { alertRulesQuery, createAlertRule, updateAlertRule } from '../../entities/alerts/queries.ts';
import { appsQuery } from '../../entities/apps/queries.ts';
import { adsetsQuery } from '../../entities/campaigns/adset-queries.ts';
import { campaignsQuery } from '../../entities/campaigns/queries.ts';
import { queryClient, readAgain } from '../../lib/api/query-client.ts';
import { currentOnly } from '../../lib/current-only.ts';
import { type Loadable, mapped, useLoadable } from '../../lib/loadable.ts';
import { Choice } from '../../ui/form/choice.tsx';
import { DialogForm } from '../../ui/form/dialog-form.tsx';
import { FormButtons } from '../../ui/form/form-buttons.tsx';
import { SearchSelect } from '../../ui/form/picker/search-select.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { Caption } from '../../ui/layout/text.tsx';
import { Segments } from '../../ui/layout/segments.tsx';

const metricOptions = ALERT_RULE_METRICS.map((value) => ({ value, label: RULE_METRICS[value].label }));
const scopeOptions = [
  { value: 'company', label: 'All' },
  { value: 'app', label: 'App' },
  { value: 'campaign', label: 'Campaign' },
  { value: 'adset', label: 'Ad set' },
] as const;
const directionOptions = [
  { value: 'above', label: 'above' },
  { value: 'below', label: 'below' },
] as const;
const minimumOptions = [
  { value: '', label: 'No minimum' },
  ...ALERT_RULE_MINIMUMS.map((value) => ({ value, label: RULE_METRICS[value].label })),
];
/** The days that are offered; a rule made by a program may have others. */
const DAYS = [0, 1, 2, 3, 5, 7, 14, 30];

/** Asks for a rule, or for changes of one. */
export function RuleForm({ rule, onDone }: { rule?: AlertRule; onDone: () => void }) {
  const { form, busy, submit, changedElsewhere } = useSavedForm({
    initialValues: valuesOf(rule),
    entity: rule && {
      saved: rule,
      valuesOf,
      version: alertRuleVersion,
      reload: async () => (await readAgain(alertRulesQuery)).find(({ uuid }) => uuid === rule.uuid) ?? rule,
      nameOf: (field, value) => (field === 'scope_uuid' ? scopeName(value) : undefined),
    },
    validate: (values) => schemaResolver(AlertRuleInput, { sync: true })(inputOf(values)),
    send: (values, version) => {
      const input = AlertRuleInput.parse(inputOf(values));
      return rule ? updateAlertRule(rule.uuid, input, version) : createAlertRule(input);
    },
    done: consoleMessages.saved('Rule'),
    onSaved: onDone,
  });
  const { metric, scope, days } = form.values;
  const chooseMetric = (chosen: string | null) => {
    if (chosen === null) return;
    form.setFieldValue('metric', chosen as AlertRuleMetric);
    if (days === '0' && cohortDayOf(chosen as AlertRuleMetric) !== undefined) form.setFieldValue('days', '7');
  };
  return (
    <DialogForm onSubmit={submit}>
      {changedElsewhere}
      <Choice
        label="Figure"
        data={metricOptions}
        searchable
        value={metric}
        onChange={chooseMetric}
        description={
          metric === 'spend_of_plan'
            ? 'Spend in percent of the daily budgets; for today, in percent of what is due by now'
            : undefined
        }
      />
      <Group align="end" gap="md">
        <Segments
          label="Alert if it is"
          {...form.getInputProps('direction')}
          value={form.values.direction}
          options={directionOptions}
        />
        <AmountInput
          label="Threshold"
          unit={RULE_METRICS[metric].unit}
          {...form.getInputProps('threshold')}
        />
      </Group>
      <Stack gap="xs">
        <Segments
          label="Of"
          value={scope}
          onChange={(chosen) => {
            form.setFieldValue('scope', chosen);
            form.setFieldValue('scope_uuid', null);
          }}
          options={scopeOptions}
        />
        {scope !== 'company' && (
          <ScopeSelect
            key={scope}
            scope={scope}
            value={form.values.scope_uuid}
            onChange={(uuid) => form.setFieldValue('scope_uuid', uuid)}
            error={form.errors['scope_uuid']}
          />
        )}
      </Stack>
      <WindowFields form={form} />
      <MinimumFields form={form} />
      <FormButtons action={rule ? 'Save' : 'Add rule'} onCancel={onDone} busy={busy} />
    </DialogForm>
  );
}

/** The days that the figure is of, and when it is checked. */
function WindowFields({ form }: { form: UseFormReturnType<Values> }) {
  const { metric, days } = form.values;
  const isCohort = cohortDayOf(metric) !== undefined;
  return (
    <>
      <Group align="start" gap="md" grow>
        <Choice label="Over" data={dayOptions(Number(days), isCohort)} {...form.getInputProps('days')} />
        <Choice
          label="Checked"
          data={[{ value: '', label: days === '0' ? 'Every hour' : 'After midnight' }, ...hourOptions]}
          {...form.getInputProps('hour')}
        />
      </Group>
      {isCohort && (
        <Caption>The window ends with the latest day on which all installs are old enough.</Caption>
      )}
    </>
  );
}

/** The fields of the minimum that a rule needs. */
function MinimumFields({ form }: { form: UseFormReturnType<Values> }) {
  const { minimum_of: minimumOf } = form.values;
  return (
    <>
      <Group align="end" gap="md">
        <Choice label="Minimum" w={180} data={minimumOptions} {...form.getInputProps('minimum_of')} />
        {minimumOf !== '' && (
          <AmountInput
            label="At least"
            unit={RULE_METRICS[minimumOf].unit}
            {...form.getInputProps('minimum')}
            error={form.errors['minimum.value']}
          />
        )}
      </Group>
    </>
  );
}

interface AmountInputProps {
  label: string;
  unit: RuleUnit;
  value?: number | string;
  onChange?: (value: number | string) => void;
  error?: React.ReactNode;
}

/** A number in the unit of a metric. */
function AmountInput({ unit, ...props }: AmountInputProps) {
  return (
    <NumberInput
      w={160}
      withAsterisk
      min={0}
      decimalScale={2}
      thousandSeparator=","
      {...(unit === 'dollars' && { prefix: '$' })}
      {...(unit === 'percent' && { suffix: ' %' })}
      {...props}
    />
  );
}

interface ScopeSelectProps {
  scope: Exclude<AlertRuleScope, 'company'>;
  value: string | null;
  onChange: (uuid: string | null) => void;
  error?: React.ReactNode;
}

function ScopeSelect({ scope, ...props }: ScopeSelectProps) {
  const Chosen = { app: AppScope, campaign: CampaignScope, adset: AdsetScope }[scope];
  return <Chosen {...props} />;
}

type ScopeProps = Omit<ScopeSelectProps, 'scope'>;

const AppScope = (props: ScopeProps) => (
  <EntitySelect label="App" emptyText="There are no apps." entities={useLoadable(appsQuery)} {...props} />
);
const CampaignScope = (props: ScopeProps) => (
  <EntitySelect
    label="Campaign"
    emptyText="There are no campaigns."
    entities={useLoadable(campaignsQuery)}
    {...props}
  />
);
const AdsetScope = (props: ScopeProps) => (
  <EntitySelect
    label="Ad set"
    emptyText="There are no ad sets."
    entities={useLoadable(adsetsQuery)}
    {...props}
  />
);

interface EntitySelectProps extends ScopeProps {
  label: string;
  emptyText: string;
  entities: Loadable<readonly { uuid: string; name: string; archived_at: string | null }[]>;
}

function EntitySelect({ entities, value, label, ...props }: EntitySelectProps) {
  return (
    <SearchSelect
      {...props}
      label={label}
      hideLabel
      placeholder={`Choose the ${label.toLowerCase()}`}
      value={value}
      options={mapped(entities, (known) =>
        currentOnly(known, value ?? '').map(({ uuid, name }) => ({ value: uuid, label: name })),
      )}
    />
  );
}

function dayOptions(chosen: number, isCohort: boolean) {
  return [...new Set([...DAYS, chosen])]
    .toSorted((a, b) => a - b)
    .map((days) => ({
      value: String(days),
      label: days === 0 ? 'Today so far' : days === 1 ? 'The last day' : `The last ${days} days`,
      disabled: days === 0 && isCohort,
    }));
}

/** The name of an app, campaign or ad set in a list that is loaded; the form loads the list that it offers. */
const scopeName = (uuid: unknown): string | undefined =>
  [appsQuery, campaignsQuery, adsetsQuery]
    .flatMap(({ queryKey }) => queryClient.getQueryData<{ uuid: string; name: string }[]>(queryKey) ?? [])
    .find((entity) => entity.uuid === uuid)?.name;

type Values = ReturnType<typeof valuesOf>;

function valuesOf(rule: AlertRule | undefined) {
  return {
    metric: rule?.metric ?? ('cpi' as AlertRuleMetric),
    scope: rule?.scope ?? ('company' as AlertRuleScope),
    scope_uuid: rule?.scope_uuid ?? null,
    days: String(rule?.days ?? 3),
    direction: rule?.direction ?? ('above' as AlertRule['direction']),
    threshold: (rule?.threshold ?? '') as number | '',
    minimum_of: (rule?.minimum?.of ?? '') as AlertRuleMinimum | '',
    minimum: (rule?.minimum?.value ?? '') as number | '',
    hour: rule?.hour === null || rule?.hour === undefined ? '' : String(rule.hour),
    is_enabled: rule?.is_enabled ?? true,
  };
}

/** The values as the API takes them; an empty number is none, which the schema rejects. */
function inputOf({ days, hour, threshold, minimum_of: of, minimum, ...values }: Values) {
  return {
    ...values,
    days: Number(days),
    hour: hour === '' ? null : Number(hour),
    threshold: threshold === '' ? Number.NaN : threshold,
    minimum: of === '' ? null : { of, value: minimum === '' ? Number.NaN : minimum },
  };
}
