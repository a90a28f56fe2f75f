import { ActionIcon, Popover } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';

interface HintPopoverProps {
  /** What the sign says to a screen reader, for example "Why Harvest is not shown". */
  label: string;
  color?: 'orange' | 'gray' | undefined;
  children: ReactNode;
}

/** A warning sign that opens a popover with the reasons. */
export function HintPopover({ label, color = 'orange', children }: HintPopoverProps) {
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      width={320}
      shadow="md"
      position="bottom-start"
      withArrow
      trapFocus
    >
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color={color}
          size={24}
          aria-label={label}
          onClick={() => setOpened(!opened)}
        >
          <IconAlertTriangle size={16} />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <CloseOnEscape close={() => setOpened(false)} />
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Mantine closes a popover only while the focus is in it: not before the focus has moved there, nor after a reload of the content removed what had it. */
function CloseOnEscape({ close }: { close: () => void }) {
  useWindowEvent('keydown', ({ key }) => key === 'Escape' && close());
  return null;
}
