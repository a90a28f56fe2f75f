import { bannerResolutions } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { HttpUrl } from '@bidwell/contract/wire';
import {
  ActionIcon,
  Button,
  Group,
  Paper,
  Progress,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Tooltip,
} from '@mantine/core';
import { IconCheck, IconInfoCircle, IconUpload, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useDropzone } from 'react-dropzone';
import { appsQuery } from '../../lib/queries/apps.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import type { UploadItem, UploadType } from './upload-list.ts';
import { readItem, sendItem, uploadTypes } from './upload-list.ts';

const accepted = {
  Banner: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'] },
  Native: { 'image/png': ['.png'], 'image/jpeg': ['.jpg', '.jpeg'], 'image/gif': ['.gif'] },
  Playable: { 'text/html': ['.html'] },
} as const;

const sizes = (type: UploadType): string => {
  if (type === 'Playable') return 'One html file, up to 5 MB';
  const { native_banners: native, ...banners } = bannerResolutions;
  const allowed = type === 'Native' ? native : Object.values(banners).flat();
  return `Allowed sizes: ${allowed.map(({ width, height }) => `${width}×${height}`).join(', ')}`;
};

/** /creatives/add-creative: several files at once, each with its own progress and its own error. */
export function AddCreativeScreen() {
  const navigate = useNavigate();
  const { data: apps = [] } = useQuery(appsQuery);
  const [type, setType] = useState<UploadType>('Banner');
  const [appUuid, setAppUuid] = useState<string | null>(null);
  const [clickUrl, setClickUrl] = useState('');
  const [viewUrl, setViewUrl] = useState('');
  const [items, setItems] = useState<UploadItem[]>([]);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [busy, setBusy] = useState(false);

  const change = (key: string, changes: Partial<UploadItem>) =>
    setItems((before) => before.map((item) => (item.key === key ? { ...item, ...changes } : item)));
  const dropzone = useDropzone({
    accept: accepted[type],
    multiple: type !== 'Native',
    onDrop: (files, rejected) => {
      for (const { file } of rejected) toastError(new Error(`${file.name}: ${messages.invalidFileType}`));
      void Promise.all(files.map((file) => readItem(file, type))).then((read) =>
        setItems((before) => (type === 'Native' ? read : [...before, ...read])),
      );
    },
  });

  const submit = async () => {
    const faults = faultsOf({ appUuid, clickUrl, viewUrl, items });
    setErrors(faults);
    if (Object.keys(faults).length > 0 || !appUuid) return;
    setBusy(true);
    let failed = 0;
    for (const item of items.filter(({ done }) => !done)) {
      const sent = await sendItem(item, { type, appUuid, clickUrl, viewUrl }, (changes) =>
        change(item.key, changes),
      );
      if (!sent) failed += 1;
    }
    setBusy(false);
    if (failed > 0)
      return toastError(
        new Error(failed === 1 ? 'One file was not accepted.' : `${failed} files were not accepted.`),
      );
    toastSuccess(items.length === 1 ? 'Creative uploaded' : `${items.length} creatives uploaded`);
    await navigate({ to: '/assets', search: { tab: 'creatives' } });
  };

  return (
    <>
      <PageHeader title="Add creative" description="Creatives are reviewed before they run." />
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <Stack maw={760}>
          <Paper withBorder p="md">
            <Stack>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                <Select
                  label="App"
                  withAsterisk
                  searchable
                  placeholder="Choose the app it advertises"
                  data={apps.map((app) => ({ value: app.uuid, label: app.name }))}
                  value={appUuid}
                  onChange={setAppUuid}
                  error={errors['app']}
                />
                <Select
                  label="Type"
                  data={Object.keys(uploadTypes)}
                  value={type}
                  allowDeselect={false}
                  onChange={(value) => {
                    setType(value as UploadType);
                    setItems([]);
                  }}
                />
              </SimpleGrid>
              <Stack gap={4}>
                <Group gap={4}>
                  <Text size="sm" fw={500}>
                    Files
                  </Text>
                  <Tooltip
                    label={sizes(type)}
                    multiline
                    maw={360}
                    events={{ hover: true, focus: true, touch: true }}
                  >
                    <ActionIcon variant="transparent" color="gray" size="sm" aria-label="Allowed sizes">
                      <IconInfoCircle size={16} />
                    </ActionIcon>
                  </Tooltip>
                </Group>
                <Paper
                  {...dropzone.getRootProps({ 'aria-label': 'Files', role: 'button' })}
                  withBorder
                  p="lg"
                  style={{ borderStyle: 'dashed', cursor: 'pointer', textAlign: 'center' }}
                  bg={dropzone.isDragActive ? 'var(--mantine-primary-color-light)' : undefined}
                >
                  <input {...dropzone.getInputProps()} />
                  <IconUpload size={22} aria-hidden />
                  <Text size="sm">Drop files here, or click to choose them</Text>
                </Paper>
                {errors['files'] && (
                  <Text size="xs" c="red.8" role="alert">
                    {errors['files']}
                  </Text>
                )}
              </Stack>
              {items.map((item) => (
                <ItemRow
                  key={item.key}
                  item={item}
                  onRename={(name) => change(item.key, { name })}
                  onRemove={() => setItems((before) => before.filter(({ key }) => key !== item.key))}
                />
              ))}
              <TextInput
                label="Click URL"
                withAsterisk
                placeholder="https://"
                value={clickUrl}
                onChange={(event) => setClickUrl(event.currentTarget.value)}
                error={errors['click_url']}
              />
              <TextInput
                label="View URL"
                withAsterisk
                placeholder="https://"
                value={viewUrl}
                onChange={(event) => setViewUrl(event.currentTarget.value)}
                error={errors['view_url']}
              />
            </Stack>
          </Paper>
          <Group justify="flex-end">
            <ButtonLink to="/assets" search={{ tab: 'creatives' }} variant="default">
              Cancel
            </ButtonLink>
            <Button type="submit" loading={busy}>
              Upload
            </Button>
          </Group>
        </Stack>
      </form>
    </>
  );
}

interface Filled {
  appUuid: string | null;
  clickUrl: string;
  viewUrl: string;
  items: readonly UploadItem[];
}

function faultsOf({ appUuid, clickUrl, viewUrl, items }: Filled): Record<string, string> {
  const faults: Record<string, string> = {};
  if (!appUuid) faults['app'] = messages.required;
  if (items.length === 0) faults['files'] = messages.required;
  else if (items.some((item) => item.error && !item.uploaded && item.progress === 0 && isLocal(item))) {
    faults['files'] = 'Remove the files that cannot be used';
  }
  for (const [field, url] of [
    ['click_url', clickUrl],
    ['view_url', viewUrl],
  ] as const) {
    const parsed = HttpUrl.safeParse(url);
    if (!parsed.success) faults[field] = parsed.error.issues[0]!.message;
  }
  return faults;
}

/** The file itself is at fault, not an earlier try to send it. */
function isLocal({ error, size }: UploadItem): boolean {
  return (
    error === messages.invalidFileType ||
    (size !== null && error === messages.wrongBannerSize(size.width, size.height))
  );
}

interface ItemRowProps {
  item: UploadItem;
  onRename: (name: string) => void;
  onRemove: () => void;
}

function ItemRow({ item, onRename, onRemove }: ItemRowProps) {
  return (
    <Paper withBorder p="xs">
      <Group wrap="nowrap" align="flex-start">
        {item.preview && (
          <img src={item.preview} alt="" style={{ width: 72, height: 40, objectFit: 'contain' }} />
        )}
        <Stack gap={4} style={{ flex: 1, minWidth: 0 }}>
          <TextInput
            aria-label={`Name of ${item.file.name}`}
            size="xs"
            value={item.name}
            maxLength={limits.titleMax}
            onChange={(event) => onRename(event.currentTarget.value)}
          />
          <Text size="xs" c="dimmed">
            {item.size ? `${item.size.width}×${item.size.height} px` : item.file.name}
          </Text>
          {item.progress > 0 && (
            <Progress value={item.progress * 100} size="sm" aria-label={`Upload of ${item.name}`} />
          )}
          {item.error && (
            <Text size="xs" c="red.8" role="alert">
              {item.error}
            </Text>
          )}
        </Stack>
        {item.done ? (
          <IconCheck size={18} aria-label="Uploaded" />
        ) : (
          <ActionIcon variant="subtle" color="gray" onClick={onRemove} aria-label={`Remove ${item.name}`}>
            <IconX size={16} />
          </ActionIcon>
        )}
      </Group>
    </Paper>
  );
}
