import type { Creative } from '@bidwell/contract/creatives/schema';
import { ClickUrl, ViewUrl } from '@bidwell/contract/tracking-links/url';
import { Uuid } from '@bidwell/contract/lib/wire';
import { screenMessages } from '@bidwell/contract/text/screen-messages';
import { schemaResolver, useForm } from '@mantine/form';
import { useState } from 'react';
import { z } from 'zod';
import { isKnown, useLoadable } from '../../../lib/loadable.ts';
import { forEachConcurrent } from '../../../lib/concurrent.ts';
import { creativesQuery } from '../../../entities/creatives/queries.ts';
import { toastSuccess } from '../../../lib/toast.ts';
import {
  type ImportState,
  type ImportTarget,
  importCreative,
  importLimitError,
  notStarted,
} from './import-creatives.ts';
import { useUnsavedInput } from '../../../ui/form/unsaved-input.ts';
import { ownUrls } from '../own-urls.ts';
import { useFilledUrls } from '../use-filled-urls.ts';

const target = z.object({ app_id: Uuid, click_url: ClickUrl, view_url: ViewUrl });
const CONCURRENCY = 2;
const NONE: readonly never[] = [];

/** State of importing creatives: source and target app, the selected creatives, and the progress of each. */
export function useImport(appUuid: string, onDone: () => void) {
  const list = useLoadable(creativesQuery);
  const [source, setSource] = useState<string | null>(null);
  const [picked, setPicked] = useState<readonly string[]>([]);
  const [states, setStates] = useState<Record<string, ImportState>>({});
  const [busy, setBusy] = useState(false);
  const form = useForm<ImportTarget>({
    initialValues: { app_id: appUuid, click_url: '', view_url: '' },
    validate: schemaResolver(target, { sync: true }),
  });
  useUnsavedInput(form);
  const to = form.values.app_id;
  const filled = useFilledUrls(form, to);
  const stateOf = ({ uuid }: Creative) => states[uuid] ?? notStarted;
  // Without them there is no source that could be chosen.
  const creatives: readonly Creative[] = isKnown(list) ? list.data : NONE;
  const offered = creatives.filter(({ app }) => app.uuid === source && source !== to);
  const open = offered.filter((creative) => !stateOf(creative).done);
  const selected = open.filter(({ uuid }) => picked.includes(uuid));

  const change = (uuid: string, changes: Partial<ImportState>) =>
    setStates((before) => ({ ...before, [uuid]: { ...(before[uuid] ?? notStarted), ...changes } }));
  const run = async (values: ImportTarget) => {
    const parsed = target.parse(values);
    const details = { ...parsed, ...ownUrls(parsed, filled) };
    setBusy(true);
    let failed = 0;
    await forEachConcurrent(selected, CONCURRENCY, async (creative) => {
      const report = (changes: Partial<ImportState>) => change(creative.uuid, changes);
      if (!(await importCreative(creative, stateOf(creative), details, report))) failed += 1;
    });
    setBusy(false);
    if (failed > 0) return;
    toastSuccess(screenMessages.creativesImported(selected.length));
    onDone();
  };

  return {
    form,
    /** Load state of the company's creatives. */
    creatives: list,
    busy,
    run,
    source,
    setSource: (uuid: string | null) => {
      setSource(uuid);
      setPicked([]);
    },
    /** Whether an app has creatives to copy to the target app. */
    isSource: (uuid: string) => uuid !== to && creatives.some(({ app }) => app.uuid === uuid),
    /** The creatives of the source app. */
    offered,
    /** Those that are not imported yet. */
    open,
    /** Those to be imported next. */
    selected,
    stateOf,
    toggle: ({ uuid }: Creative) =>
      setPicked((before) =>
        before.includes(uuid) ? before.filter((other) => other !== uuid) : [...before, uuid],
      ),
    toggleAll: () => setPicked(selected.length === open.length ? [] : open.map(({ uuid }) => uuid)),
    /** Why the target app cannot take the selected creatives; null when it can. */
    limitMessage: importLimitError(selected, creatives, to),
  };
}

/** What {@link useImport} returns. */
export type ImportSelection = ReturnType<typeof useImport>;
