import { Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconCircleX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Finding } from './findings.ts';

interface FindingNotesProps {
  findings: readonly Finding[];
  /** Shown when there are no findings; nothing without it. */
  validText?: string | undefined;
}

/** Findings of a URL, errors and warnings marked differently; announced when they change. */
export function FindingNotes({ findings, validText }: FindingNotesProps) {
  return (
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
