import { fileMessages } from '@bidwell/contract/creatives/files';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { ActionIcon, Group, Paper, Skeleton, Stack, Text, Tooltip, UnstyledButton } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { bytesText } from '@bidwell/contract/lib/bytes';
import { IconInfoCircle, IconUpload } from '@tabler/icons-react';
import { useDropzone } from 'react-dropzone';
import { resolutionGroups } from '../../../entities/creatives/size-coverage.ts';
import { dataOrUnknown, isUnknown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { CreativeTypeSwitch, creativeTypeLabels } from '../../../entities/creatives/creative-type-switch.tsx';
import { toastError } from '../../../lib/toast.ts';
import { ErrorText } from '../../../ui/form/error-text.tsx';
import { Caption } from '../../../ui/layout/text.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { UnknownFigure } from '../../../ui/chart/unknown-figure.tsx';
import { UploadRow } from './upload-row.tsx';
import { uploadRules } from './upload-rules.ts';
import type { CreativeUpload } from './use-creative-upload.ts';
import { CountedTextarea } from '../../../ui/form/form-fields.tsx';
import { NativeTexts } from '../../../entities/creatives/native-texts.tsx';
import type { DetailsForm } from './upload-details.ts';
import { storageQuery, useBannerResolutions } from '../../../entities/creatives/queries.ts';

interface UploadFilesProps {
  type: CreativeType;
  upload: CreativeUpload;
  /** Key of the file in the preview. */
  shownKey: string | undefined;
  onShow: (key: string) => void;
}

/** Selects the files of a type, and lists them with their errors and progress. */
export function UploadFiles({ type, upload, shownKey, onShow }: UploadFilesProps) {
  const { form, uploads, listed, attempted } = upload;
  const isMissing = attempted && listed.length === 0;
  return (
    <>
      <Group justify="space-between" gap="xs">
        <CreativeTypeSwitch
          value={type}
          onChange={upload.setType}
          countOf={(of) => uploads.items.filter((item) => item.type === of).length}
        />
        <Group gap={4}>
          {form.values.app_id && <UploadedCount type={type} existing={upload.existing} />}
          <SizeHint type={type} />
        </Group>
      </Group>
      <DropArea
        key={type}
        type={type}
        onFiles={(files) => void uploads.add(files, type)}
        error={
          isMissing ? (type === 'Video' ? creativeMessages.videoRequired : messages.required) : undefined
        }
      />
      <StorageNote />
      {type === 'Native' && <NativeFields form={form} />}
      {listed.length > 0 && (
        <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
          {listed.map(({ item, error }) => (
            <UploadRow
              key={item.key}
              item={item}
              validationError={error}
              attempted={attempted}
              shown={item.key === shownKey}
              onShow={() => onShow(item.key)}
              onRename={(name) => uploads.change(item.key, { name, error: null })}
              onEndCard={(file) => void upload.addEndCard(item, file)}
              onRemove={() => uploads.remove(item)}
            />
          ))}
        </Stack>
      )}
    </>
  );
}

/** How many of the creatives that an app may have are uploaded. */
function UploadedCount({ type, existing }: Pick<CreativeUpload, 'existing'> & { type: CreativeType }) {
  const count = dataOrUnknown(
    mapped(existing, (known) => known.filter(({ internal_creative: asset }) => asset.type === type).length),
  );
  return (
    <Caption>
      {isUnknown(count) ? <UnknownFigure why={count} /> : count} of{' '}
      {type === 'Video' ? limits.videosPerType : limits.bannersPerType} uploaded
    </Caption>
  );
}

function NativeFields({ form }: { form: UseFormReturnType<DetailsForm> }) {
  return (
    <>
      <NativeTexts
        title={form.getInputProps('native_title')}
        sponsor={form.getInputProps('native_sponsor')}
      />
      <CountedTextarea
        label="Description"
        minRows={1}
        maxLength={limits.nativeDescriptionMax}
        {...form.getInputProps('native_description')}
      />
    </>
  );
}

/** How much of the company's storage is used. */
function StorageNote() {
  return (
    <FigureFrame
      figures={useLoadable(storageQuery)}
      what="The used storage"
      skeleton={<Skeleton height={14} width={220} />}
    >
      {({ used_bytes: used, quota_bytes: quota, quota_after_approval_bytes: later }) => (
        <Caption>
          {bytesText(used)} of {bytesText(quota)} of storage used.
          {later !== null && ` ${bytesText(later)} once one of your apps is approved.`}
        </Caption>
      )}
    </FigureFrame>
  );
}

/** Tooltip with the allowed sizes; nothing for playables, which have none. */
function SizeHint({ type }: { type: CreativeType }) {
  const resolutions = useBannerResolutions();
  if (type === 'Playable') return null;
  const groups = resolutionGroups.filter(({ label }) => (label === 'Native') === (type === 'Native'));
  return (
    <Tooltip
      multiline
      maw={360}
      events={{ hover: true, focus: true, touch: true }}
      label={
        type === 'Video' ? (
          'Any landscape or portrait size, for the video and for its end card; a square is not accepted.'
        ) : (
          <Stack gap={2}>
            {groups.map(({ key, label }) => (
              <Text key={key} size="xs">
                {label}: {resolutions[key].map(({ width, height }) => `${width}×${height}`).join(', ')}
              </Text>
            ))}
          </Stack>
        )
      }
    >
      <ActionIcon variant="transparent" color="gray" size="sm" aria-label="Allowed sizes">
        <IconInfoCircle size={16} />
      </ActionIcon>
    </Tooltip>
  );
}

interface DropAreaProps {
  type: CreativeType;
  onFiles: (files: File[]) => void;
  error: string | undefined;
}

/** Area for dropping files or selecting them by click or keyboard. */
function DropArea({ type, onFiles, error }: DropAreaProps) {
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
            <Caption>{hint}</Caption>
          </div>
        </Group>
      </Paper>
      {error && <ErrorText>{error}</ErrorText>}
    </Stack>
  );
}
