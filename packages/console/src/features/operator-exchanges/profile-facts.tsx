import {
  type ExchangeProfile,
  unknownFields,
  unknownRules,
} from '@bidwell/contract/operator/exchange-profiles';
import { Anchor, Code, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { formatDay } from '../../lib/format/format.ts';
import { fieldTexts, ruleText, ruleTexts } from './exchange-text.ts';

/** The public facts about an exchange and the rules that its bids follow, with sources, and what is not public. */
export function ProfileFacts({ profile }: { profile: ExchangeProfile }) {
  const { facts, rules, documentation, readOn } = profile;
  const unknown = [
    ...unknownFields(profile).map((field) => fieldTexts[field]),
    ...unknownRules(profile).map((rule) => ruleTexts[rule]),
  ].map((text) => text.toLowerCase());
  const statements = [
    ...facts.map(({ field, text, source }) => ({ key: field, name: fieldTexts[field], text, source })),
    ...rules.map((one) => ({
      key: one.rule,
      name: ruleTexts[one.rule],
      text: ruleText(one),
      source: one.source,
    })),
  ];
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        {statements.map(({ key, name, text, source }) => (
          <Text key={key} size="xs">
            <b>{name}:</b> <FactText text={text} />{' '}
            <Anchor href={source} target="_blank" rel="noreferrer" size="xs" underline="always">
              Source<VisuallyHidden component="span"> on {name.toLowerCase()}</VisuallyHidden>
            </Anchor>
          </Text>
        ))}
        {unknown.length > 0 && (
          <Text size="xs">
            <b>Nothing public was found on:</b> {unknown.join(', ')}. These have the values of OpenRTB; ask
            the exchange.
          </Text>
        )}
        <Text size="xs">
          {statements.length > 0 ? 'These pages were read' : 'Looked for'} on {formatDay(readOn)}.{' '}
          {documentation && (
            <Anchor href={documentation} target="_blank" rel="noreferrer" size="xs" underline="always">
              Documentation of the exchange
            </Anchor>
          )}
        </Text>
      </Stack>
    </Paper>
  );
}

/** A fact; what it has between backticks is set as code. */
export function FactText({ text }: { text: string }) {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? part : <Code key={`${index} ${part}`}>{part}</Code>));
}
