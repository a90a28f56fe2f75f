import { Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ReactNode } from 'react';

const look = { variant: 'subtle', color: 'gray', size: 'compact-sm' } as const;

interface RowMenuProps {
  /** Name of the row. */
  name: string;
  /** Whether one of the actions is running. */
  busy?: boolean;
  /** The actions, as `Menu.Item`. */
  children: ReactNode;
}

/** The actions of a row that are rarely taken, in a menu. */
export function RowMenu({ name, busy = false, children }: RowMenuProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button {...look} loading={busy} aria-label={`More about ${name}`}>
          <IconDots size={16} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Button of a row that opens the log of what it sent. */
export function LogButton({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <Button {...look} onClick={onClick} aria-label={`Log of ${name}`}>
      Log
    </Button>
  );
}
