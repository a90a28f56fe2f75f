import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { creativeMessages } from '@bidwell/contract/creatives/messages';
import { messages } from '@bidwell/contract/text/messages';
import { Group, Skeleton, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { bytesText } from '@bidwell/contract/lib/bytes';
import { dataOrUnknown, isUnknown, mapped, useLoadable } from '../../../lib/loadable.ts';
import { CreativeTypeSwitch } from '../../../entities/creatives/creative-type-switch.tsx';
import { Muted } from '../../../ui/layout/muted.tsx';
import { DropArea } from './drop-area.tsx';
import { FigureFrame } from '../../../ui/chart/figure-frame.tsx';
import { UnknownFigure } from '../../../ui/chart/unknown-figure.tsx';
import { SizeHint } from './size-hint.tsx';
import { UploadRow } from './upload-row.tsx';
import type { CreativeUpload } from './use-creative-upload.ts';
import { CountedTextarea } from '../../../ui/form/form-fields.tsx';
import { NativeTexts } from '../../../entities/creatives/native-texts.tsx';
import type { DetailsForm } from './upload-details.ts';
import { storageQuery } from '../../../entities/creatives/queries.ts';

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
    <Muted size="xs">
      {isUnknown(count) ? <UnknownFigure why={count} /> : count} of{' '}
      {type === 'Video' ? limits.videosPerType : limits.bannersPerType} uploaded
    </Muted>
  );
}

/** Text fields of a native ad. */
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
        <Muted size="xs">
          {bytesText(used)} of {bytesText(quota)} of storage used.
          {later !== null && ` ${bytesText(later)} once one of your apps is approved.`}
        </Muted>
      )}
    </FigureFrame>
  );
}
