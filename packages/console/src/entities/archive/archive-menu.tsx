import { consoleMessages } from '@bidwell/contract/text/console-messages';
import { Menu } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconCopy, IconDots, IconHash, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { IconButton } from '../../ui/layout/buttons.tsx';
import { type ArchivablePath, deleteEntity, setArchived, writePermission } from './queries.ts';
import { type DuplicablePath, canDuplicate, duplicate } from '../duplicates/queries.ts';
import { useMay } from '../../lib/api/use-may.ts';
import { toastError, toastSuccess } from '../../lib/toast.ts';
import { useDestroy } from '../../ui/form/confirm.tsx';
import { useSave } from '../../ui/form/use-save.ts';

interface ArchiveMenuProps {
  path: ArchivablePath;
  uuid: string;
  /** The id that can be copied, where it is not `uuid`. */
  copiedId?: string;
  name: string;
  /** When it was archived; null when it is not archived. */
  archivedAt: string | null;
}

/** What the id of an entity is called. */
const idNames: Record<ArchivablePath, string> = {
  app: 'app id',
  adset: 'ad set id',
  campaign: 'campaign id',
  internal_creative: 'creative id',
  internal_creative_group: 'group id',
  target: 'target id',
  tracking_link: 'tracking link id',
};

/** Row menu with copying the id, duplicate, archive, restore and delete. Tables have many and open few, so the menu mounts at the first click. */
export function ArchiveMenu(props: ArchiveMenuProps) {
  const [opened, setOpened] = useState(false);
  const [isMounted, setIsMounted] = useState(false);
  const button = (
    <IconButton
      aria-label={`More actions for ${props.name}`}
      aria-haspopup="menu"
      onClick={() => {
        setIsMounted(true);
        setOpened(!opened);
      }}
    >
      <IconDots size={16} />
    </IconButton>
  );
  if (!isMounted) return button;
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" width={200}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <ArchiveItems {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

function ArchiveItems({ path, uuid, copiedId = uuid, name, archivedAt }: ArchiveMenuProps) {
  const mayWrite = useMay(writePermission(path));
  const { save: archive } = useSave({
    send: (isArchived: boolean) => setArchived(path, uuid, isArchived),
    done: (_saved, isArchived) =>
      isArchived ? consoleMessages.archived(name) : consoleMessages.restored(name),
  });
  const { confirm: confirmDelete } = useDestroy({
    title: `Delete “${name}”?`,
    text: consoleMessages.deleteForGood,
    action: 'Delete',
    send: () => deleteEntity(path, uuid),
    done: consoleMessages.deleted(name),
  });
  const { save: copy } = useSave({
    send: (duplicable: DuplicablePath) => duplicate(duplicable, uuid),
    done: (copied) => consoleMessages.duplicated(copied),
  });
  const copyId = async () => {
    try {
      await navigator.clipboard.writeText(copiedId);
      toastSuccess(consoleMessages.idCopied(idNames[path], name));
    } catch {
      toastError(new Error(consoleMessages.idNotCopied(idNames[path], copiedId)));
    }
  };
  return (
    <>
      <Menu.Item leftSection={<IconHash size={15} />} onClick={() => void copyId()}>
        Copy {idNames[path]}
      </Menu.Item>
      {mayWrite && (
        <>
          {canDuplicate(path) && archivedAt === null && (
            <Menu.Item leftSection={<IconCopy size={15} />} onClick={() => copy(path)}>
              Duplicate
            </Menu.Item>
          )}
          {archivedAt === null ? (
            <Menu.Item leftSection={<IconArchive size={15} />} onClick={() => archive(true)}>
              Archive
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconArchiveOff size={15} />} onClick={() => archive(false)}>
              Restore
            </Menu.Item>
          )}
          <Menu.Item
            color="var(--mantine-color-error)"
            leftSection={<IconTrash size={15} />}
            onClick={confirmDelete}
          >
            Delete…
          </Menu.Item>
        </>
      )}
    </>
  );
}
