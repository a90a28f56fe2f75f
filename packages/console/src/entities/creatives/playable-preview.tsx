import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { Box, Group, Skeleton, Stack } from '@mantine/core';
import { IconReload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { isKnown, useLoadable } from '../../lib/loadable.ts';
import { withoutServerText } from '../../lib/api/api-error.ts';
import { staleTimes } from '../../lib/api/query-client.ts';
import { SecondaryButton } from '../../ui/layout/buttons.tsx';
import { Caption } from '../../ui/layout/text.tsx';
import { FailedPreview, PreviewNote } from './preview-note.tsx';
import { Segments, optionsOf } from '../../ui/layout/segments.tsx';

const SHORT_PX = 360;
const LONG_PX = 640;

/** Runs a playable in a sandboxed iframe, in portrait or landscape, without access to this page. */
export function PlayablePreview({ name, src }: { name: string; src: string | null }) {
  const [turn, setTurn] = useState('Portrait');
  const [run, setRun] = useState(0);
  const frame = useRef<HTMLIFrameElement>(null);
  const [opened, setOpened] = useState<string>();
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      const address = source === frame.current?.contentWindow ? openedAddress(data) : undefined;
      if (address !== undefined) setOpened(address);
    };
    window.addEventListener('message', onMessage);
    return () => window.removeEventListener('message', onMessage);
  }, []);
  const found = useLoadable({
    queryKey: ['media', src],
    queryFn: () => isThere(src!),
    enabled: src !== null,
    staleTime: staleTimes.ever,
  });
  if (found.state === 'failed') return <FailedPreview of={found} width={320} height={180} />;
  if (src === null || (isKnown(found) && !found.data))
    return <PreviewNote text={creativeMessages.fileNotFound} width={320} height={180} />;
  const [width, height] = turn === 'Portrait' ? [SHORT_PX, LONG_PX] : [LONG_PX, SHORT_PX];
  const scale = turn === 'Portrait' ? 0.75 : 0.46;
  return (
    <Stack align="center" gap="sm">
      <Box
        p={8}
        bg="dark.8"
        style={{ borderRadius: 22, border: '1px solid var(--mantine-color-default-border)' }}
      >
        <Box w={width * scale} h={height * scale} bg="white" style={{ borderRadius: 12, overflow: 'hidden' }}>
          {!isKnown(found) ? (
            <Skeleton h="100%" />
          ) : (
            <iframe
              ref={frame}
              key={run}
              src={src}
              title={`Playable ${name}`}
              sandbox="allow-scripts"
              style={{
                width,
                height,
                border: 0,
                transform: `scale(${scale})`,
                transformOrigin: 'top left',
                colorScheme: 'light',
              }}
            />
          )}
        </Box>
      </Box>
      <Group gap="xs">
        <Segments
          small
          label="Orientation"
          options={optionsOf(['Portrait', 'Landscape'])}
          value={turn}
          onChange={setTurn}
        />
        <SecondaryButton
          size="xs"
          leftSection={<IconReload size={14} />}
          onClick={() => {
            setRun(run + 1);
            setOpened(undefined);
          }}
        >
          Restart
        </SecondaryButton>
      </Group>
      {opened !== undefined && (
        <Caption role="status" maw={360} style={{ overflowWrap: 'anywhere' }}>
          {opened === '' ? 'The playable closed itself.' : `A click opens ${opened}`}
        </Caption>
      )}
    </Stack>
  );
}

/** Whether there is a file at an address. Throws ApiError where that is not known. */
async function isThere(src: string): Promise<boolean> {
  const { ok, status } = await fetch(src, { method: 'HEAD' }).catch(() => {
    throw withoutServerText(0, messages.unreachable);
  });
  if (status >= 500) throw withoutServerText(status, messages.serverError);
  return ok;
}

/** Reads a message of the MRAID stub: the URL that the playable opens, '' when it closed itself. */
function openedAddress(data: unknown): string | undefined {
  const message = data as { source?: unknown; type?: unknown; url?: unknown } | null;
  if (message?.source !== 'mraid-preview') return undefined;
  if (message.type === 'close') return '';
  return message.type === 'open' && typeof message.url === 'string' ? message.url : undefined;
}
