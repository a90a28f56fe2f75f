import { Stack, Textarea, type TextareaProps } from '@mantine/core';
import { FindingNotes } from './finding-notes.tsx';
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
      <FindingNotes findings={findings} validText={validText} />
    </Stack>
  );
}
