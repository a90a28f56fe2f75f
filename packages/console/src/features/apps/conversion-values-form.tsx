import {
  CONVERSION_RULES_MAX,
  type ConversionRule,
  ConversionValuesInput,
} from '@bidwell/contract/skadnetwork/conversion-values';
import { FINE_VALUE_MAX } from '@bidwell/contract/skadnetwork/postbacks';
import { consoleMessages } from '@bidwell/contract/text/messages';
import { conversionTexts } from '@bidwell/contract/text/skadnetwork-text';
import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { schemaResolver } from '@mantine/form';
import { randomId } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { appEventsQuery, loadConversionValues, updateConversionValues } from '../../entities/apps/queries.ts';
import { mapped, useLoadable } from '../../lib/loadable.ts';
import { confirmed } from '../../ui/form/confirm.tsx';
import { LeaveGuard } from '../../ui/form/leave-guard.tsx';
import { isSame, useSavedSection } from '../../ui/form/saved-form.ts';
import { ConversionRuleFields } from './conversion-rule-fields.tsx';

const validate = schemaResolver(ConversionValuesInput, { sync: true });

interface ConversionValuesFormProps {
  /** Of the app. */
  uuid: string;
  saved: readonly ConversionRule[];
  /** Told whether there are unsaved changes. */
  onDirtyChange: (dirty: boolean) => void;
}

/** Rules have no ids, and their fields of money hold a state of their own. */
interface KeyedRule extends ConversionRule {
  key: string;
}

const keyed = (rule: ConversionRule): KeyedRule => ({ ...rule, key: randomId() });

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
  const { form, busy, submit, isUnsaved, isOutdated, renew } = useSavedSection<
    { rules: KeyedRule[] },
    readonly ConversionRule[]
  >({
    saved,
    valuesOf: (rules) => ({ rules: rules.map(keyed) }),
    validate,
    confirm: (base) => confirmReplacement(uuid, base),
    send: async (values) => (await updateConversionValues(uuid, ConversionValuesInput.parse(values))).rules,
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
        {isOutdated && <ChangedMeanwhile onShow={renew} />}
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
            onClick={() => form.insertListItem('rules', keyed(nextRule(rules)))}
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

/** Says that somebody else changed the rules, which saving would replace. */
function ChangedMeanwhile({ onShow }: { onShow: () => void }) {
  return (
    <Alert color="yellow" variant="light" p="xs" role="status">
      <Group justify="space-between" gap="xs">
        <Text size="sm">{conversionTexts.changedMeanwhile}</Text>
        <Button size="compact-sm" variant="default" onClick={onShow}>
          Show the saved ones
        </Button>
      </Group>
    </Alert>
  );
}

/** Asks before rules are replaced that somebody else saved since these were loaded; true without any. Throws ApiError. */
async function confirmReplacement(uuid: string, base: readonly ConversionRule[]): Promise<boolean> {
  const { rules } = await loadConversionValues(uuid);
  return isSame(rules, base) || confirmed(conversionTexts.replace);
}
