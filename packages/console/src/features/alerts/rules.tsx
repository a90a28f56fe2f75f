import {
  type AlertRule,
  RULE_METRICS,
  alertRuleVersion,
  ruleFigureText,
  ruleText,
} from '@bidwell/contract/alerts/rules';
import { versionOf } from '@bidwell/contract/lib/version';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Menu, Modal, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { alertRulesQuery, deleteAlertRule, updateAlertRule } from '../../entities/alerts/queries.ts';
import { formatDay, formatMoment } from '../../lib/format/format.ts';
import { useLoadable } from '../../lib/loadable.ts';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption, Muted } from '../../ui/layout/text.tsx';
import { Section } from '../../ui/layout/section.tsx';
import { type RecordColumn, RecordTable } from '../../ui/table/record-table.tsx';
import { RowMenu } from '../../ui/table/row-menu.tsx';
import { RowSwitch } from '../../ui/table/row-switch.tsx';
import { RuleForm } from './rule-form.tsx';

/** The alert rules of the company: adds, changes and removes them, and shows the result of their last check. */
export function Rules({ mayWrite }: { mayWrite: boolean }) {
  const rules = useLoadable(alertRulesQuery);
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <Section
      title="Rules"
      description="Sends one alert when a figure goes above or below what you allow, and no other until it is back."
      actions={
        mayWrite && (
          <SecondaryButton leftSection={<IconPlus size={16} />} onClick={open}>
            Add rule
          </SecondaryButton>
        )
      }
    >
      <RecordTable
        label="Rules"
        what="The rules"
        empty={<Muted>There are no rules yet. Add one such as “CPI above $6.00 over 3 days”.</Muted>}
        columns={columnsOf(mayWrite)}
        rows={rules}
        rowId={({ uuid }) => uuid}
        minWidth={640}
        cards
      />
      <Modal opened={opened} onClose={close} title="Add a rule">
        {opened && <RuleForm onDone={close} />}
      </Modal>
    </Section>
  );
}

const columnsOf = (mayWrite: boolean): RecordColumn<AlertRule>[] => [
  {
    header: 'Rule',
    wrap: 'anywhere',
    cell: (rule) => (
      <>
        <Text size="sm">{ruleText(rule)}</Text>
        <Caption>{scopeText(rule)}</Caption>
      </>
    ),
  },
  {
    header: 'Last check',
    cell: (rule) => (
      <>
        <Text size="sm" {...(rule.state === 'met' && { c: 'var(--mantine-color-red-text)', fw: 500 })}>
          {stateText(rule)}
        </Text>
        <Caption>{checkText(rule)}</Caption>
      </>
    ),
  },
  {
    header: 'On',
    cell: (rule) => (
      <RowSwitch
        name={ruleText(rule)}
        isOn={rule.is_enabled}
        mayWrite={mayWrite}
        send={(enabled) =>
          updateAlertRule(rule.uuid, { ...rule, is_enabled: enabled }, versionOf(alertRuleVersion, rule))
        }
      />
    ),
  },
  { header: 'Actions', actions: true, cell: (rule) => mayWrite && <RuleActions rule={rule} /> },
];

const SCOPES = { company: 'Company', app: 'App', campaign: 'Campaign', adset: 'Ad set' } as const;

/** `Campaign “Summer”, from 10 installs on`. */
function scopeText({ scope, scope_name: name, minimum }: AlertRule): string {
  const of =
    scope === 'company'
      ? 'All campaigns'
      : `${SCOPES[scope]} ${name === null ? 'that no longer exists' : `“${name}”`}`;
  if (minimum === null) return of;
  const unit = minimum.of === 'spend' ? ' of spend' : ` ${RULE_METRICS[minimum.of].label.toLowerCase()}`;
  return `${of}, from ${ruleFigureText(minimum.of, minimum.value)}${unit} on`;
}

/** The result of the last check: `Met: $7.12`. */
function stateText({ state, metric, value, minimum, volume }: AlertRule): string {
  const figure = value === null ? null : ruleFigureText(metric, value);
  if (state === 'met') return `Met: ${figure ?? 'no installs'}`;
  if (state === 'not_met') return `Not met: ${figure ?? 'no installs'}`;
  if (state === 'too_little')
    return `Too little: ${ruleFigureText(minimum!.of, volume ?? 0)} ${minimum!.of === 'spend' ? 'spent' : RULE_METRICS[minimum!.of].label.toLowerCase()}`;
  if (state === 'failed') return 'Could not be read';
  return state === 'unknown' ? 'No such figure' : 'Not checked yet';
}

function checkText(rule: AlertRule): string {
  const { state, is_enabled: isOn, checked_at: at, from_date: from, to_date: to, next_check_at: next } = rule;
  if (!isOn) return 'Off';
  const ahead = next === null ? '' : `Next ${formatMoment(next)}`;
  const andAhead = next === null ? '' : `, next ${formatMoment(next)}`;
  if (state === 'failed') return ahead;
  if (state === 'unknown' && rule.metric === 'spend_of_plan' && rule.scope_name !== null)
    return 'Nothing runs, or an ad set has no daily budget';
  if (at === null || from === null || to === null) return ahead;
  return `${from === to ? formatDay(from) : `${formatDay(from)} – ${formatDay(to)}`}${andAhead}`;
}

function RuleActions({ rule }: { rule: AlertRule }) {
  const [opened, { open, close }] = useDisclosure(false);
  const name = ruleText(rule);
  const { confirm: confirmRemove } = useDestroy({
    title: `Remove “${name}”?`,
    text: 'It no longer sends alerts. This cannot be undone.',
    action: 'Remove',
    send: () => deleteAlertRule(rule.uuid),
    done: screenMessages.removed(name),
  });
  return (
    <Group gap={4} justify="flex-end" wrap="nowrap">
      <RowMenu name={name}>
        <Menu.Item onClick={open}>Change</Menu.Item>
        <Menu.Item onClick={confirmRemove}>Remove</Menu.Item>
      </RowMenu>
      <Modal opened={opened} onClose={close} title="Change the rule">
        {opened && <RuleForm rule={rule} onDone={close} />}
      </Modal>
    </Group>
  );
}
