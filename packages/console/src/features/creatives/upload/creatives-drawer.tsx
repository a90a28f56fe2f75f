import { type CreativeGroup, CreativeGroupInput } from '@bidwell/contract/creative-groups/schema';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { limits } from '@bidwell/contract/lib/limits';
import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { truncate } from '@bidwell/contract/lib/truncate';
import { Stack } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { knownData, useLoadable } from '../../../lib/loadable.ts';
import { creativeLists } from '../../../entities/creatives/creative-lists.ts';
import { appsQuery } from '../../../entities/apps/queries.ts';
import { createCreativeGroup } from '../../../entities/creative-groups/queries.ts';
import { toastError, toastSuccess } from '../../../lib/toast.ts';
import { AppSelect } from '../../../entities/apps/app-select.tsx';
import { CountedInput } from '../../../ui/form/form-fields.tsx';
import { FormActions } from '../../../ui/form/form-actions.tsx';
import type { FormInDrawer } from '../../../ui/form/form-in-drawer.tsx';
import { Muted } from '../../../ui/layout/text.tsx';
import { LocalPreview } from './local-preview.tsx';
import { UploadFiles } from './upload-files.tsx';
import { uploadRules } from './upload-rules.ts';
import type { UploadedCreative } from './upload-list.ts';
import { type CreativeUpload, useCreativeUpload } from './use-creative-upload.ts';

interface CreativesDrawerProps {
  drawer: FormInDrawer<CreativeGroup>;
  /** Banners that are uploaded at once, unless something is wrong with them. */
  files: readonly File[];
}

/** Uploads creatives and puts them into a new group, which ad sets can use. */
export function CreativesDrawer({ drawer, files }: CreativesDrawerProps) {
  const apps = useLoadable(appsQuery);
  const [type, setType] = useState<CreativeType>('Banner');
  const [typedName, setTypedName] = useState<string>();
  const [shownKey, setShownKey] = useState<string>();
  const upload = useCreativeUpload({
    withUrls: false,
    type,
    onType: setType,
    app: drawer.appUuid,
    onDone: (uploaded) => makeGroup(uploaded),
  });
  const { form, listed, busy } = upload;
  const app = knownData(apps)?.find(({ uuid }) => uuid === form.values.app_id);
  const name = typedName ?? groupName(app?.name);
  const makeGroup = async (uploaded: readonly UploadedCreative[]) => {
    try {
      const group = await createCreativeGroup(groupOf(name, uploaded));
      toastSuccess(consoleMessages.saved('Creative group'));
      drawer.onSaved(group);
    } catch (error) {
      toastError(error);
    }
  };
  useUploadAtOnce(files, upload);
  const shown = listed.find(({ item }) => item.key === shownKey)?.item;
  return (
    <form onSubmit={upload.submit} noValidate>
      <Stack>
        <Muted>The creatives form a new group. Each is reviewed before it runs.</Muted>
        {!drawer.appUuid && (
          <AppSelect
            apps={apps}
            placeholder="Choose the app they advertise"
            {...form.getInputProps('app_id')}
            value={form.values.app_id}
          />
        )}
        <CountedInput
          label="Creative group"
          maxLength={limits.titleMax}
          value={name}
          onChange={(event) => setTypedName(event.currentTarget.value)}
        />
        <UploadFiles type={type} upload={upload} shownKey={shownKey} onShow={setShownKey} />
        {shown && <LocalPreview item={shown} app={app} texts={form.values} />}
        <FormActions
          cancel={drawer.onCancel}
          action={actionOf(type, upload)}
          busy={busy}
          permission="creative.write"
        />
      </Stack>
    </form>
  );
}

/** Adds and uploads the files with which the drawer was opened, once. */
function useUploadAtOnce(files: readonly File[], upload: CreativeUpload): void {
  const isBegun = useRef(false);
  const begin = useEffectEvent(() => void upload.addAndSend(files));
  useEffect(() => {
    if (isBegun.current || files.length === 0) return;
    isBegun.current = true;
    begin();
  }, [files]);
}

const groupName = (app: string | undefined) =>
  app ? `${truncate(app, limits.titleMax - 10)} creatives` : 'Creatives';

function groupOf(name: string, uploaded: readonly UploadedCreative[]): CreativeGroupInput {
  const lists = Object.entries(creativeLists).map(([type, list]) => [
    list,
    uploaded.filter((creative) => creative.type === type).map(({ uuid }) => uuid),
  ]);
  return CreativeGroupInput.parse({
    name: name.trim() || groupName(undefined),
    ...Object.fromEntries(lists),
  });
}

function actionOf(type: CreativeType, { readyCount, uploaded, uploads }: CreativeUpload): string {
  if (readyCount > 1) return `Upload ${readyCount} ${uploadRules[type].file}s`;
  return uploads.items.length === 0 && uploaded.length > 0 ? 'Use the uploaded creatives' : 'Upload';
}
