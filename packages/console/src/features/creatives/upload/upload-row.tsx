import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { Box, Center, Group, Paper, Progress, Stack, TextInput, UnstyledButton } from '@mantine/core';
import { IconCheck, IconDeviceGamepad2, IconMovie, IconPhotoPlus, IconX } from '@tabler/icons-react';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { EndCardButton } from '../end-card-button.tsx';
import { IconButton } from '../../../ui/layout/buttons.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import type { UploadItem } from './upload-list.ts';

interface UploadRowProps {
  item: UploadItem;
  /** Why it cannot be uploaded; null when it can. */
  validationError: string | null;
  /** Whether a missing end card is shown as an error. */
  attempted: boolean;
  shown: boolean;
  onShow: () => void;
  onRename: (name: string) => void;
  onEndCard: (file: File) => void;
  onRemove: () => void;
}

/** Row of a creative to be uploaded: picture, title, size, progress and error. */
export function UploadRow(props: UploadRowProps) {
  const { item, validationError, attempted, shown, onShow, onRename, onEndCard } = props;
  const { type, name, main, endCard, progress } = item;
  const busy = progress !== null || item.done;
  const error = busy ? null : (item.error ?? validationError);
  return (
    <Paper
      component="li"
      withBorder
      p="xs"
      style={shown ? { borderColor: 'var(--mantine-primary-color-filled)' } : undefined}
    >
      <Group wrap="nowrap" align="flex-start" gap="sm">
        <UnstyledButton onClick={onShow} aria-label={`Preview ${name}`} aria-pressed={shown}>
          <Thumbnail item={item} />
        </UnstyledButton>
        <Stack gap={6} style={{ flex: 1, minWidth: 0 }}>
          <TextInput
            aria-label={`Title of ${main.file.name}`}
            size="xs"
            value={name}
            disabled={busy}
            onChange={(event) => onRename(event.currentTarget.value)}
          />
          <Group gap="xs" justify="space-between">
            <FileText item={item} />
            {type === 'Video' && !busy && (
              <EndCardButton
                label={`End card of ${name}`}
                onFile={onEndCard}
                size="compact-xs"
                variant={endCard ? 'default' : 'light'}
                leftSection={<IconPhotoPlus size={13} />}
              >
                {endCard ? 'Replace end card' : 'Add end card'}
              </EndCardButton>
            )}
          </Group>
          {progress !== null && (
            <Progress value={progress * 100} size="sm" aria-label={`Upload of ${name}`} animated />
          )}
          {type === 'Video' && !endCard && !error && <MissingEndCard attempted={attempted} />}
          {error && <ErrorText>{error}</ErrorText>}
        </Stack>
        <RowEnd done={item.done} busy={busy} name={name} onRemove={props.onRemove} />
      </Group>
    </Paper>
  );
}

/** Size and names of the files of a row. */
function FileText({ item: { main, endCard } }: { item: UploadItem }) {
  return (
    <Caption style={{ overflowWrap: 'anywhere' }}>
      {main.size ? `${main.size.width}×${main.size.height} px · ` : ''}
      {main.file.name}
      {endCard ? ` · end card ${endCard.file.name}` : ''}
    </Caption>
  );
}

function MissingEndCard({ attempted }: { attempted: boolean }) {
  if (attempted) return <ErrorText>End card: {creativeMessages.bannerRequired}</ErrorText>;
  return <Caption>Held here until its end card is added.</Caption>;
}

interface RowEndProps {
  done: boolean;
  busy: boolean;
  name: string;
  onRemove: () => void;
}

/** Mark of a finished upload, or the button that removes the row. */
function RowEnd({ done, busy, name, onRemove }: RowEndProps) {
  if (done) return <IconCheck size={18} aria-label="Uploaded" />;
  return (
    <IconButton onClick={onRemove} disabled={busy} aria-label={`Remove ${name}`}>
      <IconX size={16} />
    </IconButton>
  );
}

function Thumbnail({ item: { type, main, endCard } }: { item: UploadItem }) {
  const src = type === 'Video' ? endCard?.src : type === 'Playable' ? undefined : main.src;
  const Icon = type === 'Playable' ? IconDeviceGamepad2 : IconMovie;
  if (src && (main.size || endCard)) {
    return <img src={src} alt="" style={{ width: 72, height: 48, objectFit: 'contain', display: 'block' }} />;
  }
  return (
    <Center w={72} h={48} bg="var(--mantine-color-default-hover)" c="dimmed" style={{ borderRadius: 4 }}>
      <Box component={Icon} size={22} aria-hidden />
    </Center>
  );
}
