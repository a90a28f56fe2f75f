import { useDisclosure } from '@mantine/hooks';
import { IconCopyPlus } from '@tabler/icons-react';
import { Suspense } from 'react';
import { SecondaryButton } from '../../../ui/layout/buttons.tsx';
import { lazyPart } from '../../../ui/layout/lazy-part.tsx';

const ImportDialog = lazyPart(() => import('./import-dialog.tsx'), 'ImportDialog', { as: 'dialog' });

/** Opens the dialog that copies creatives from another app. `appUuid` preselects the target app; empty for none. */
export function ImportButton({ appUuid }: { appUuid: string }) {
  const [opened, { open, close }] = useDisclosure(false);
  return (
    <>
      <SecondaryButton leftSection={<IconCopyPlus size={16} />} onClick={open}>
        Import creatives
      </SecondaryButton>
      {opened && (
        <Suspense>
          <ImportDialog appUuid={appUuid} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
