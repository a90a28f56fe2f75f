import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { knownData, mapped, useLoadable } from '../../../lib/loadable.ts';
import { creativesQuery } from '../../../entities/creatives/queries.ts';
import { toastError, toastSuccess } from '../../../lib/toast.ts';
import { focusFirstError } from '../../../ui/form/form-fields.tsx';
import { useUnsavedInput, useUnsentFiles } from '../../../ui/form/unsaved-input.ts';
import {
  type DetailsForm,
  detailsOf,
  detailsSchema,
  detailsWithoutUrls,
  emptyDetails,
} from './upload-details.ts';
import type { UploadItem, UploadedCreative } from './upload-list.ts';
import { useFilledUrls } from '../use-filled-urls.ts';
import { useUploads, withErrors } from './use-uploads.ts';

interface CreativeUploadOptions {
  /** The type on the screen. */
  type: CreativeType;
  onType: (type: CreativeType) => void;
  /** Whether the form has fields for the URLs, which are then required. */
  withUrls: boolean;
  /** Uuid of the preselected app. */
  app: string | undefined;
  /** Called with all uploaded creatives once no file is left. */
  onDone: (uploaded: readonly UploadedCreative[], appUuid: string) => Promise<void>;
}

/** State of adding creatives: the details that all files share, the files of each type, and their upload. */
export function useCreativeUpload({ type, onType, withUrls, app, onDone }: CreativeUploadOptions) {
  const creatives = useLoadable(creativesQuery);
  const uploads = useUploads();
  const [attempted, setAttempted] = useState(false);
  const [busy, setBusy] = useState(false);
  const [uploaded, setUploaded] = useState<readonly UploadedCreative[]>([]);
  const schema = withUrls ? detailsSchema : detailsWithoutUrls;
  const form = useForm<DetailsForm>({
    initialValues: { ...emptyDetails, app_id: app ?? '' },
    validate: schemaResolver(schema, { sync: true }),
  });
  useUnsavedInput(form);
  useUnsentFiles(uploads.items.length);
  const filled = useFilledUrls(form, withUrls ? form.values.app_id : '');
  const existing = mapped(creatives, (known) =>
    known.filter((creative) => creative.app.uuid === form.values.app_id),
  );
  const knownExisting = knownData(existing);
  const listed = withErrors(uploads.items, type, knownExisting);
  const ready = listed.filter(
    ({ item, error }) => error === null && (item.type !== 'Video' || item.endCard !== null),
  );

  const send = async (items: readonly UploadItem[]) => {
    setBusy(true);
    const details = detailsOf(form.getValues(), type, filled);
    const { done, left } = await uploads.send(items, details);
    const all = [...uploaded, ...done];
    setUploaded(all);
    setAttempted(done.length < items.length);
    toastResult(done.length, items.length - done.length);
    if (done.length === items.length && left === 0) await onDone(all, details.app_id);
    setBusy(false);
  };
  const finish = async () => {
    setBusy(true);
    await onDone(uploaded, form.getValues().app_id);
    setBusy(false);
  };
  const submit = form.onSubmit(
    () => {
      setAttempted(true);
      if (ready.length > 0) void send(ready.map(({ item }) => item));
      // The group of a drawer could not be made at the first attempt, or the files left over were removed.
      else if (uploads.items.length === 0 && uploaded.length > 0) void finish();
    },
    (errors) => {
      setAttempted(true);
      focusFirstError(form)(errors);
    },
  );
  /** A video waits for its end card: uploads it once the card is added, if the other fields are valid. */
  const addEndCard = async (item: UploadItem, file: File) => {
    const complete = await uploads.addEndCard(item, file);
    if (!complete) return;
    const after = uploads.items.map((one) => (one.key === complete.key ? complete : one));
    const { error } = withErrors(after, type, knownExisting).find(
      ({ item: { key } }) => key === complete.key,
    )!;
    if (error === null && schema.safeParse(form.getValues()).success) await send([complete]);
  };
  /** Adds files and uploads them at once, unless something is wrong with them or a field is missing. */
  const addAndSend = async (files: readonly File[]) => {
    const added = await uploads.add(files, type);
    const isValid = withErrors(added, type, knownExisting).every(({ error }) => error === null);
    if (isValid && schema.safeParse(form.getValues()).success) await send(added);
  };
  const setType = (next: CreativeType) => {
    setAttempted(false);
    onType(next);
  };

  return {
    form,
    uploads,
    /** The creatives that the app has already. */
    existing,
    /** The selected files of the type with their errors. */
    listed,
    /** Number of files that can be uploaded now. */
    readyCount: ready.length,
    /** Whether missing files and end cards are shown as errors. */
    attempted,
    busy,
    /** The creatives uploaded so far. */
    uploaded,
    submit,
    addAndSend,
    addEndCard,
    setType,
  };
}

/** What {@link useCreativeUpload} returns. */
export type CreativeUpload = ReturnType<typeof useCreativeUpload>;

function toastResult(done: number, failed: number): void {
  if (done > 0) toastSuccess(screenMessages.creativesUploaded(done));
  if (failed > 0) {
    const text = screenMessages.filesNotAccepted(failed);
    toastError(new Error(text));
  }
}
