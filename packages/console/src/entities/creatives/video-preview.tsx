import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Center, Stack } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { PreviewNote } from './preview-note.tsx';

interface VideoPreviewProps {
  name: string;
  src: string | null;
  /** Shown once the video has ended; null without one. */
  endCard: ReactNode;
}

/** A video, followed by its end card. */
export function VideoPreview({ name, src, endCard }: VideoPreviewProps) {
  const [state, setState] = useState<'playing' | 'ended' | Unplayable>('playing');
  if (!src || state === 'missing')
    return <PreviewNote text={creativeMessages.fileNotFound} width={320} height={180} />;
  if (state === 'failed')
    return <PreviewNote text={consoleMessages.optionsFailed} width={320} height={180} />;
  if (state === 'unplayable') {
    return (
      <Stack gap="xs" align="center">
        {endCard}
        <Caption>This browser cannot play the video.</Caption>
      </Stack>
    );
  }
  if (state === 'ended' && endCard) {
    return (
      <Stack gap="xs" align="center">
        {endCard}
        <SecondaryButton size="xs" leftSection={<IconReload size={14} />} onClick={() => setState('playing')}>
          Play again
        </SecondaryButton>
      </Stack>
    );
  }
  return (
    <Center bg="black" style={{ borderRadius: 'var(--mantine-radius-sm)', overflow: 'hidden' }}>
      <video
        src={src}
        controls
        muted
        playsInline
        preload="metadata"
        aria-label={name}
        style={{ maxWidth: '100%', maxHeight: 420, display: 'block' }}
        onEnded={() => setState('ended')}
        onError={() => void reasonOf(src).then(setState)}
      />
    </Center>
  );
}

/** Why a video does not play: there is none, it could not be loaded, or this browser cannot decode it. */
type Unplayable = 'missing' | 'failed' | 'unplayable';

async function reasonOf(src: string): Promise<Unplayable> {
  if (src.startsWith('blob:')) return 'unplayable';
  return fetch(src, { method: 'HEAD' }).then(
    ({ ok, status }) => (ok ? 'unplayable' : status >= 500 ? 'failed' : 'missing'),
    () => 'failed',
  );
}
