import { type ExchangeProfile, unknownFields } from '@bidwell/contract/operator/exchange-profiles';
import { Anchor, Code, Paper, Stack, Text, VisuallyHidden } from '@mantine/core';
import { formatDay } from '../../lib/format/format.ts';
import { fieldTexts } from './exchange-text.ts';

/** The public facts about an exchange, with sources, and the missing ones. */
export function ProfileFacts({ profile }: { profile: ExchangeProfile }) {
  const { facts, documentation, readOn } = profile;
  const unknown = unknownFields(profile).map((field) => fieldTexts[field].toLowerCase());
  return (
    <Paper withBorder p="sm">
      <Stack gap={6}>
        {facts.map(({ field, text, source }) => (
          <Text key={field} size="xs">
            <b>{fieldTexts[field]}:</b> <FactText text={text} />{' '}
            <Anchor href={source} target="_blank" rel="noreferrer" size="xs" underline="always">
              Source<VisuallyHidden component="span"> on {fieldTexts[field].toLowerCase()}</VisuallyHidden>
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
          {facts.length > 0 ? 'These pages were read' : 'Looked for'} on {formatDay(readOn)}.{' '}
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
