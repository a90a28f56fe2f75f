import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import {
  ActionIcon,
  Box,
  Button,
  Center,
  FileButton,
  Group,
  Paper,
  Progress,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { IconCheck, IconDeviceGamepad2, IconMovie, IconPhotoPlus, IconX } from '@tabler/icons-react';
import type { UploadItem } from './upload-list.ts';

interface UploadRowProps {
  item: UploadItem;
  /** Why it cannot be uploaded; null when it can. */
  validationError: string | null;
  /** Whether a missing end card is shown as an error. */
  asked: boolean;
  shown: boolean;
  onShow: () => void;
  onRename: (name: string) => void;
  onEndCard: (file: File) => void;
  onRemove: () => void;
}

/** Row of a creative to be uploaded: picture, title, size, progress and error. */
export function UploadRow({
  item,
  validationError,
  asked,
  shown,
  onShow,
  onRename,
  onEndCard,
  onRemove,
}: UploadRowProps) {
  const { type, name, main, endCard, progress, error } = item;
  const busy = progress !== null || item.done;
  const problem = busy ? null : (error ?? validationError);
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
            maxLength={limits.titleMax}
            disabled={busy}
            onChange={(event) => onRename(event.currentTarget.value)}
          />
          <Group gap="xs" justify="space-between">
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {main.size ? `${main.size.width}×${main.size.height} px · ` : ''}
              {main.file.name}
              {endCard ? ` · end card ${endCard.file.name}` : ''}
            </Text>
            {type === 'Video' && !busy && (
              <FileButton
                accept="image/jpeg,image/png"
                onChange={(file) => file && onEndCard(file)}
                inputProps={{ 'aria-label': `End card of ${name}` }}
              >
                {(props) => (
                  <Button
                    {...props}
                    size="compact-xs"
                    variant={endCard ? 'default' : 'light'}
                    leftSection={<IconPhotoPlus size={13} />}
                  >
                    {endCard ? 'Replace end card' : 'Add end card'}
                  </Button>
                )}
              </FileButton>
            )}
          </Group>
          {progress !== null && (
            <Progress value={progress * 100} size="sm" aria-label={`Upload of ${name}`} animated />
          )}
          {type === 'Video' && !endCard && !problem && (
            <Text
              size="xs"
              c={asked ? 'var(--mantine-color-error)' : 'dimmed'}
              role={asked ? 'alert' : undefined}
            >
              {asked ? `End card: ${messages.bannerRequired}` : 'Held here until its end card is added.'}
            </Text>
          )}
          {problem && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {problem}
            </Text>
          )}
        </Stack>
        {item.done ? (
          <IconCheck size={18} aria-label="Uploaded" />
        ) : (
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={onRemove}
            disabled={busy}
            aria-label={`Remove ${name}`}
          >
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
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
