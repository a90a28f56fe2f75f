import type { CreativeType } from '@bidwell/contract/creative';
import { limits } from '@bidwell/contract/limits';
import { messages } from '@bidwell/contract/messages';
import { Button, Group, Paper, Select, Stack, Text } from '@mantine/core';
import { schemaResolver, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { currentOnly } from '../../lib/current-only.ts';
import { appsQuery } from '../../lib/queries/apps.ts';
import { creativesQuery } from '../../lib/queries/creatives.ts';
import { useReviewSentences } from '../../lib/review-sentences.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { CountedTextarea, focusFirstError } from '../../ui/form-fields.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SizeCoveragePanel } from '../../ui/size-coverage-panel.tsx';
import { UrlFields } from './url-fields.tsx';
import type { CreativeSearch } from './creative-search.ts';
import classes from './creatives.module.css';
import { DropArea } from './drop-area.tsx';
import { ImportButton } from './import-button.tsx';
import { LocalPreview } from './local-preview.tsx';
import { NativeFields } from './native-fields.tsx';
import { PanelSwitch } from './panel-switch.tsx';
import { creativeTypeOf } from './panels.ts';
import { SizeHint } from './size-hint.tsx';
import type { DetailsForm } from './upload-details.ts';
import { detailsOf, detailsSchema, emptyDetails } from './upload-details.ts';
import type { UploadItem } from './upload-list.ts';
import { UploadRow } from './upload-row.tsx';
import { useUploads, withErrors } from './use-uploads.ts';

/** /creatives/add-creative?type=&app=: uploads several files, each with its own progress and error. */
export function AddCreativeScreen() {
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as CreativeSearch;
  const type = search.type ?? 'Banner';
  const { data: apps = [] } = useQuery(appsQuery);
  const { data: creatives = [] } = useQuery(creativesQuery);
  const review = useReviewSentences();
  const uploads = useUploads();
  const [shownKey, setShownKey] = useState<string>();
  const [asked, setAsked] = useState(false);
  const [busy, setBusy] = useState(false);
  const form = useForm<DetailsForm>({
    initialValues: { ...emptyDetails, app_id: search.app ?? '' },
    validate: schemaResolver(detailsSchema, { sync: true }),
  });
  const appUuid = form.values.app_id;
  const existing = creatives.filter(({ app }) => app.uuid === appUuid);
  const listed = withErrors(uploads.items, type, existing);
  const shown = listed.find(({ item }) => item.key === shownKey)?.item ?? listed[0]?.item;
  const ready = listed.filter(
    ({ item, error }) => error === null && (item.type !== 'Video' || item.endCard !== null),
  );
  const setType = (next: CreativeType) => {
    setAsked(false);
    void navigate({ to: '.', search: (before: object) => ({ ...before, type: next }), replace: true });
  };

  const send = async (items: readonly UploadItem[]) => {
    setBusy(true);
    const details = detailsOf(form.getValues(), type);
    const { done, left } = await uploads.send(items, details);
    setBusy(false);
    setAsked(done < items.length);
    if (done > 0) toastSuccess(done === 1 ? 'Creative uploaded' : `${done} creatives uploaded`);
    const failed = items.length - done;
    if (failed > 0) {
      toastError(
        new Error(failed === 1 ? 'One file was not accepted.' : `${failed} files were not accepted.`),
      );
    } else if (left === 0) {
      await navigate({ to: '/creatives', search: { type, app: details.app_id }, ignoreBlocker: true });
    }
  };
  const submit = () => {
    setAsked(true);
    if (ready.length > 0) void send(ready.map(({ item }) => item));
  };
  // A video waits for its end card: uploads it once the card is added, if the other fields are valid.
  const addEndCard = async (item: UploadItem, file: File) => {
    const complete = await uploads.addEndCard(item, file);
    if (!complete) return;
    const after = uploads.items.map((one) => (one.key === complete.key ? complete : one));
    const { error } = withErrors(after, type, existing).find(({ item: { key } }) => key === complete.key)!;
    if (error === null && detailsSchema.safeParse(form.getValues()).success) await send([complete]);
  };

  return (
    <>
      <PageHeader
        title="Add creatives"
        description={review.newCreatives}
        actions={<ImportButton appUuid={appUuid} />}
      />
      <LeaveGuard when={uploads.items.length > 0 && !busy} />
      <div className={classes['columns']}>
        <form
          onSubmit={form.onSubmit(submit, (errors) => {
            setAsked(true);
            focusFirstError(form)(errors);
          })}
          noValidate
        >
          <Stack>
            <Paper withBorder p="md">
              <Stack>
                <Select
                  label="App"
                  withAsterisk
                  searchable
                  placeholder="Choose the app they advertise"
                  nothingFoundMessage="No app of that name"
                  data={currentOnly(apps, appUuid).map((app) => ({ value: app.uuid, label: app.name }))}
                  {...form.getInputProps('app_id')}
                  onChange={(uuid) => form.setFieldValue('app_id', uuid ?? '')}
                />
                <UrlFields
                  appUuid={appUuid}
                  clickProps={form.getInputProps('click_url')}
                  viewProps={form.getInputProps('view_url')}
                  onFill={(addresses) => {
                    form.setValues(addresses);
                    form.clearErrors();
                  }}
                />
                {type !== 'Native' && (
                  <CountedTextarea
                    label="Description"
                    minRows={1}
                    maxLength={limits.descriptionMax}
                    {...form.getInputProps('description')}
                  />
                )}
              </Stack>
            </Paper>
            <Paper withBorder p="md">
              <Stack>
                <Group justify="space-between" gap="xs">
                  <PanelSwitch
                    value={type}
                    onChange={setType}
                    countOf={(of) => uploads.items.filter((item) => item.type === of).length}
                  />
                  <Group gap={4}>
                    {appUuid && (
                      <Text size="xs" c="dimmed">
                        {existing.filter(({ internal_creative: asset }) => asset.type === type).length} of{' '}
                        {type === 'Video' ? limits.videosPerType : limits.bannersPerType} uploaded
                      </Text>
                    )}
                    <SizeHint type={type} />
                  </Group>
                </Group>
                <DropArea
                  key={type}
                  type={type}
                  onFiles={(files) => void uploads.add(files, type)}
                  error={
                    asked && listed.length === 0
                      ? type === 'Video'
                        ? messages.videoRequired
                        : messages.required
                      : undefined
                  }
                />
                {type === 'Native' && <NativeFields form={form} />}
                {listed.length > 0 && (
                  <Stack gap="xs" component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
                    {listed.map(({ item, error }) => (
                      <UploadRow
                        key={item.key}
                        item={item}
                        validationError={error}
                        asked={asked}
                        shown={item.key === shown?.key}
                        onShow={() => setShownKey(item.key)}
                        onRename={(name) => uploads.change(item.key, { name, error: null })}
                        onEndCard={(file) => void addEndCard(item, file)}
                        onRemove={() => uploads.remove(item)}
                      />
                    ))}
                  </Stack>
                )}
                <Group justify="flex-end">
                  <ButtonLink to="/creatives" search={{ type, app: search.app }} variant="default">
                    Cancel
                  </ButtonLink>
                  <Button type="submit" loading={busy}>
                    {ready.length > 1 ? `Upload ${ready.length} ${creativeTypeOf(type).file}s` : 'Upload'}
                  </Button>
                </Group>
              </Stack>
            </Paper>
          </Stack>
        </form>
        <Stack className={classes['side']}>
          <Paper withBorder p="md" component="section" aria-label="Preview">
            <Text fw={600} mb="sm">
              Preview
            </Text>
            {shown ? (
              <LocalPreview
                item={shown}
                app={apps.find(({ uuid }) => uuid === appUuid)}
                texts={form.values}
              />
            ) : (
              <Text size="sm" c="dimmed">
                A chosen file shows here as it will be served.
              </Text>
            )}
          </Paper>
          {type !== 'Playable' && (
            <SizeCoveragePanel
              types={type === 'Video' ? ['Video'] : ['Banner', 'Native']}
              creatives={[
                ...existing.map(({ internal_creative: asset }) => asset),
                ...uploads.items
                  .filter(({ main }) => main.error === null)
                  .map(({ type: of, main: { size } }) => ({
                    type: of,
                    width: size?.width ?? null,
                    height: size?.height ?? null,
                  })),
              ]}
              of={appUuid ? 'Of this app, with the files chosen here' : 'Of the files chosen here'}
            />
          )}
        </Stack>
      </div>
    </>
  );
}
