import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { fileMessages } from '@bidwell/contract/creatives/files';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { Group, Paper, Stack, UnstyledButton } from '@mantine/core';
import { IconUpload } from '@tabler/icons-react';
import { useDropzone } from 'react-dropzone';
import { toastError } from '../../../lib/toast.ts';
import { creativeTypeLabels } from '../../../entities/creatives/creative-type-switch.tsx';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { Muted } from '../../../ui/layout/muted.tsx';
import { uploadRules } from './upload-rules.ts';

interface DropAreaProps {
  type: CreativeType;
  onFiles: (files: File[]) => void;
  error: string | undefined;
}

/** Area for dropping files or selecting them by click or keyboard. */
export function DropArea({ type, onFiles, error }: DropAreaProps) {
  const { accept, multiple, hint } = uploadRules[type];
  const dropzone = useDropzone({
    accept,
    multiple,
    onDrop: (files, rejected) => {
      for (const { file, errors } of rejected) {
        const tooMany = errors.some(({ code }) => code === 'too-many-files');
        toastError(
          new Error(
            `${file.name}: ${tooMany ? screenMessages.oneFileAtATime : fileMessages.wrongType(type)}`,
          ),
        );
      }
      onFiles(files);
    },
  });
  return (
    <Stack gap={4}>
      <Paper
        {...dropzone.getRootProps({ role: 'presentation', tabIndex: -1 })}
        withBorder
        p="lg"
        style={{ borderStyle: 'dashed', cursor: 'pointer' }}
        bg={dropzone.isDragActive ? 'var(--mantine-primary-color-light)' : undefined}
      >
        <input {...dropzone.getInputProps({ 'aria-label': `Files: ${creativeTypeLabels[type]}` })} />
        <Group justify="center" gap="sm" wrap="nowrap">
          <IconUpload size={22} aria-hidden style={{ flexShrink: 0 }} />
          <div>
            {/* The click bubbles to the area, which opens the file dialog; the button makes it reachable by keyboard. */}
            <UnstyledButton fz="sm" fw={500}>
              {multiple
                ? 'Drop files here, or click to choose them'
                : 'Drop a file here, or click to choose it'}
            </UnstyledButton>
            <Muted size="xs">{hint}</Muted>
          </div>
        </Group>
      </Paper>
      {error && <ErrorText>{error}</ErrorText>}
    </Stack>
  );
}
