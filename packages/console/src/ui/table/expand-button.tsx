import { ActionIcon } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';

interface ExpandButtonProps {
  /** Name of the row, for the label. */
  name: string;
  open: boolean;
  onClick: () => void;
}

/** Button that shows or hides the rows below a row of a tree. */
export function ExpandButton({ name, open, onClick }: ExpandButtonProps) {
  const Chevron = open ? IconChevronDown : IconChevronRight;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      onClick={onClick}
      aria-expanded={open}
      aria-label={`${open ? 'Collapse' : 'Expand'} ${name}`}
    >
      <Chevron size={15} />
    </ActionIcon>
  );
}
