import {
  CONVERSION_RULES_MAX,
  type ConversionRule,
  type ConversionValues,
  ConversionValuesInput,
} from '@bidwell/contract/skadnetwork/conversion-values';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { Button, Group, Stack } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { updateConversionValues } from '../../entities/apps/queries.ts';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { useSavedForm } from '../../ui/form/saved-form.ts';
import { ConversionRuleFields } from './conversion-rule-fields.tsx';

const validate = schemaResolver(ConversionValuesInput, { sync: true });

interface ConversionValuesFormProps {
  /** Of the app. */
  uuid: string;
  saved: readonly ConversionRule[];
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** A rule for the fine value after the last one that a rule has. Pure. */
function nextRule(rules: readonly ConversionRule[]): ConversionRule {
  const next = Math.min(63, Math.max(-1, ...rules.map(({ fine_to: to }) => to ?? -1)) + 1);
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
  const { form, busy, submit } = useSavedForm<{ rules: ConversionRule[] }, ConversionValues>({
    initialValues: { rules: [...saved] },
    validate,
    send: (values) => updateConversionValues(uuid, values),
    done: consoleMessages.saved('Conversion values'),
    onSaved: (_saved, values): void => form.resetDirty(values),
  });
  const dirty = form.isDirty();
  useEffect(() => {
    onDirtyChange(dirty);
    return () => onDirtyChange(false);
  }, [dirty, onDirtyChange]);
  const { rules } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <LeaveGuard when={dirty && !busy} />
      <Stack gap="sm">
        {rules.map((rule, index) => (
          <ConversionRuleFields
            // Rules have no ids, and their fields hold no state of their own.
            key={index}
            number={index + 1}
            rule={rule}
            errorOf={(field) => form.errors[`rules.${index}.${field}`]}
            onChange={(changed) => {
              form.setFieldValue(`rules.${index}`, { ...rule, ...changed });
            }}
            onRemove={() => form.removeListItem('rules', index)}
          />
        ))}
        <Group justify="space-between">
          <Button
            variant="subtle"
            leftSection={<IconPlus size={16} />}
            disabled={rules.length >= CONVERSION_RULES_MAX}
            onClick={() => form.insertListItem('rules', nextRule(rules))}
          >
            Add values
          </Button>
          <Button type="submit" variant="default" loading={busy}>
            Save conversion values
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
