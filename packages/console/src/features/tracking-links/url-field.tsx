import type { TextareaProps } from '@mantine/core';
import { Group, Stack, Text, Textarea } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Finding } from './findings.ts';

interface UrlFieldProps extends TextareaProps {
  label: string;
  findings: readonly Finding[];
  /** Shown when there are no findings; nothing without it. */
  validText?: string | undefined;
}

/** URL input with its findings below it, errors and warnings marked differently. */
export function UrlField({ findings, validText, label, ...props }: UrlFieldProps) {
  return (
    <Stack gap={6}>
      <Textarea
        label={label}
        autosize
        minRows={2}
        maxRows={8}
        withAsterisk
        spellCheck={false}
        autoComplete="off"
        placeholder="https://"
        styles={{
          input: {
            fontFamily: 'var(--mantine-font-family-monospace)',
            fontSize: 'var(--mantine-font-size-xs)',
            overflowWrap: 'anywhere',
          },
        }}
        {...props}
      />
      <Stack gap={4} role="status">
        {findings.map(({ level, text }) => (
          <Note
            key={text}
            icon={
              level === 'error' ? (
                <IconCircleX size={15} color="var(--mantine-color-error)" aria-hidden />
              ) : (
                <IconAlertTriangle size={15} color="var(--mantine-color-orange-7)" aria-hidden />
              )
            }
            word={level === 'error' ? 'Error' : 'Warning'}
          >
            {text}
          </Note>
        ))}
        {findings.length === 0 && validText && (
          <Note icon={<IconCircleCheck size={15} color="var(--mantine-color-green-7)" aria-hidden />}>
            {validText}
          </Note>
        )}
      </Stack>
    </Stack>
  );
}

function Note({ icon, word, children }: { icon: ReactNode; word?: string; children: ReactNode }) {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <span style={{ flexShrink: 0, lineHeight: 0, paddingTop: 2 }}>{icon}</span>
      <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
        {word && (
          <Text span inherit fw={600}>
            {word}:{' '}
          </Text>
        )}
        {children}
      </Text>
    </Group>
  );
}
