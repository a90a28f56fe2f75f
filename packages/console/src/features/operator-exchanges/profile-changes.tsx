import type { Ssp } from '@bidwell/contract/operator/schema';
import { Alert, Anchor, Stack, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { fieldTexts, settingText } from './exchange-text.ts';
import { FactText } from './profile-facts.tsx';

/** The settings of an exchange that differ from its documentation since it was added. Renders nothing if there are none. */
export function ProfileChanges({ exchange, children }: { exchange: Ssp; children: ReactNode }) {
  const { profile_changes: changes } = exchange;
  if (changes.length === 0) return null;
  return (
    <Alert color="yellow" mb="md" title={`The documentation of ${exchange.name} now says otherwise`}>
      <Stack gap="xs" align="flex-start">
        {changes.map(({ field, setting, documented, text, source }) => (
          <Text key={field} size="sm">
            <b>{fieldTexts[field as keyof typeof fieldTexts]}:</b> it is set to {settingText(setting)}, the
            documentation says {settingText(documented)}. <FactText text={text} />{' '}
            <Anchor href={source} target="_blank" rel="noreferrer" size="sm" c="inherit" underline="always">
              Source
              <VisuallyHidden component="span">
                {' '}
                on {fieldTexts[field as keyof typeof fieldTexts]}
              </VisuallyHidden>
            </Anchor>
          </Text>
        ))}
        {children}
      </Stack>
    </Alert>
  );
}
