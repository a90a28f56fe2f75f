import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Center, Stack } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { failureText } from '../../lib/api/api-error.ts';
import type { Loadable } from '../../lib/loadable.ts';
import { IconButton, SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';

interface NoteProps {
  /** In pixels. */
  width: number;
  height: number;
}

const box = ({ width, height }: NoteProps) => ({
  w: width,
  maw: '100%',
  h: height,
  bg: 'var(--mantine-color-default-hover)',
  style: { borderRadius: 'var(--mantine-radius-sm)' },
});

/** Shown instead of a preview that is not available. */
export function PreviewNote({ text, ...size }: NoteProps & { text: string }) {
  return (
    <Center {...box(size)}>
      <Caption ta="center">{text}</Caption>
    </Center>
  );
}

/** Below this a note has room for a sign only. */
const TEXT_MIN_PX = 120;

/** Shown instead of a file that could not be loaded, with a button that tries again. */
export function FailedPreview({ of: { error, isFetching, retry }, ...size }: NoteProps & { of: Loadable }) {
  const text = `${consoleMessages.figuresFailed('The file')} ${error ? failureText(error) : ''}`.trim();
  if (size.width < TEXT_MIN_PX || size.height < TEXT_MIN_PX / 2)
    return (
      <Center {...box(size)} title={text}>
        <IconButton loading={isFetching} onClick={retry} aria-label={`Try again: ${text}`}>
          <IconReload size={15} />
        </IconButton>
      </Center>
    );
  return (
    <Center {...box(size)} p="xs">
      <Stack gap="xs" align="center">
        <Caption ta="center">{text}</Caption>
        <SecondaryButton size="compact-xs" loading={isFetching} onClick={retry}>
          Try again
        </SecondaryButton>
      </Stack>
    </Center>
  );
}
