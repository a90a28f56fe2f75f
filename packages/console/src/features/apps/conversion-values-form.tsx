import {
  CONVERSION_RULES_MAX,
  type ConversionRule,
  type ConversionValues,
  ConversionValuesInput,
  conversionValuesVersion,
} from '@bidwell/contract/skadnetwork/conversion-values';
import { FINE_VALUE_MAX } from '@bidwell/contract/skadnetwork/postbacks';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { conversionWindowTexts } from '@bidwell/contract/text/skadnetwork-text';
import { Button, Group, Stack } from '@mantine/core';
import { randomId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { hashKey } from '@tanstack/react-query';
import {
  appEventsQuery,
  conversionValuesQuery,
  updateConversionValues,
} from '../../entities/apps/queries.ts';
import { coarseTexts } from '../../entities/skadnetwork/postback-text.ts';
import { readAgain } from '../../lib/api/query-client.ts';
import { formatMoney } from '../../lib/format/format.ts';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { useSavedSection } from '../../ui/form/saved-form.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { ConversionRuleFields } from './conversion-rule-fields.tsx';

interface ConversionValuesFormProps {
  /** Of the app. */
  uuid: string;
  saved: ConversionValues;
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** Rules have no ids, and their fields of money hold a state of their own. */
interface KeyedRule extends ConversionRule {
  key: string;
}

/** Keys are made from the saved rules, so that equal rules are equal values. */
const valuesOf = ({ rules }: ConversionValues): { rules: KeyedRule[] } => ({
  rules: rules.map((rule, index) => ({ ...rule, key: `${index} ${hashKey([rule])}` })),
});

/** A rule in a few words, such as `Days 0–2: 0–9, purchase, $1.00–$5.00`. Pure. */
function ruleText({ window, fine_from, fine_to, coarse, event, revenue_from, revenue_to }: ConversionRule) {
  const value = coarse === null ? `${fine_from}–${fine_to}` : coarseTexts[coarse];
  const revenue =
    revenue_from !== null && revenue_to !== null && `${formatMoney(revenue_from)}–${formatMoney(revenue_to)}`;
  return `${conversionWindowTexts[window]}: ${[value, event, revenue].filter(Boolean).join(', ')}`;
}

/** A rule for the fine value after the last one that a rule has. Pure. */
function nextRule(rules: readonly ConversionRule[]): ConversionRule {
  const next = Math.min(FINE_VALUE_MAX, Math.max(-1, ...rules.map(({ fine_to: to }) => to ?? -1)) + 1);
  return {
    window: 0,
    fine_from: next,
    fine_to: next,
    coarse: null,
    event: '',
    revenue_from: null,
    revenue_to: null,
  };
}

/** The rules of an app's conversion values. Saved on its own. */
export function ConversionValuesForm({ uuid, saved, onDirtyChange }: ConversionValuesFormProps) {
  const events = mapped(useLoadable(appEventsQuery(uuid)), (known) => known.events);
  const { form, busy, submit, isUnsaved, changedElsewhere } = useSavedSection<
    { rules: KeyedRule[] },
    unknown,
    ConversionValues
  >({
    entity: {
      saved,
      valuesOf,
      version: conversionValuesVersion,
      reload: () => readAgain(conversionValuesQuery(uuid)),
      nameOf: (_field, rule) => (Array.isArray(rule) ? undefined : ruleText(rule as ConversionRule)),
    },
    schema: ConversionValuesInput,
    send: (values, version) => updateConversionValues(uuid, ConversionValuesInput.parse(values), version),
    done: consoleMessages.saved('Conversion values'),
    onDirtyChange,
  });
  const { rules } = form.values;
  const inputOf = (path: string) => ({ error: form.errors[path], 'data-path': path });
  const change = (index: number, changed: Partial<ConversionRule>): void => {
    const rule = { ...rules[index]!, ...changed };
    form.setFieldValue(`rules.${index}`, rule);
    // A change of one field may mend another, as a range of revenue a missing event.
    for (const field of Object.keys(rule)) form.clearFieldError(`rules.${index}.${field}`);
  };
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard when={isUnsaved} />
      <Stack gap="sm">
        {changedElsewhere}
        {rules.map((rule, index) => (
          <ConversionRuleFields
            key={rule.key}
            number={index + 1}
            rule={rule}
            events={events}
            inputOf={(field) => inputOf(`rules.${index}.${field}`)}
            onChange={(changed) => change(index, changed)}
            onRemove={() => form.removeListItem('rules', index)}
          />
        ))}
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} />}
            disabled={rules.length >= CONVERSION_RULES_MAX}
            onClick={() => form.insertListItem('rules', { ...nextRule(rules), key: randomId() })}
          >
            Add values
          </Button>
          <SecondaryButton type="submit" loading={busy}>
            Save conversion values
          </SecondaryButton>
        </Group>
      </Stack>
    </form>
  );
}
