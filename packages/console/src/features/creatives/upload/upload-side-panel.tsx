import type { App } from '@bidwell/contract/apps/schema';
import type { CreativeType } from '@bidwell/contract/creatives/schema';
import { Paper, Text } from '@mantine/core';
import { mapped } from '../../../lib/loadable.ts';
import { mayRun } from '../../../entities/creatives/creative-lists.ts';
import { SizeCoveragePanel } from '../../../entities/creatives/size-coverage-panel.tsx';
import { Muted } from '../../../ui/layout/muted.tsx';
import { LocalPreview } from './local-preview.tsx';
import type { UploadItem } from './upload-list.ts';
import { uploadableSizes } from './use-uploads.ts';
import type { CreativeUpload } from './use-creative-upload.ts';

interface UploadSidePanelProps {
  type: CreativeType;
  upload: CreativeUpload;
  /** The file in the preview. */
  shown: UploadItem | undefined;
  /** The advertised app. */
  app: App | undefined;
}

/** Preview of a selected file, and the sizes that the app has with the selected files. */
export function UploadSidePanel({ type, upload, shown, app }: UploadSidePanelProps) {
  const { form, uploads, existing } = upload;
  return (
    <>
      <Paper withBorder p="md" component="section" aria-label="Preview">
        <Text fw={600} mb="sm">
          Preview
        </Text>
        {shown ? (
          <LocalPreview item={shown} app={app} texts={form.values} />
        ) : (
          <Muted>The preview of a selected file appears here.</Muted>
        )}
      </Paper>
      {type !== 'Playable' && (
        <SizeCoveragePanel
          types={type === 'Video' ? ['Video'] : ['Banner', 'Native']}
          creatives={mapped(existing, (known) => [
            ...known.filter(mayRun).map(({ internal_creative: asset }) => asset),
            ...uploadableSizes(uploads.items, known),
          ])}
          of={form.values.app_id ? 'Of this app, with the files chosen here' : 'Of the files chosen here'}
        />
      )}
    </>
  );
}
