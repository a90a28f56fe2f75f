import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { IconButton } from '../layout/buttons.tsx';

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
    <IconButton
      size="sm"
      onClick={onClick}
      aria-expanded={open}
      aria-label={`${open ? 'Collapse' : 'Expand'} ${name}`}
    >
      <Chevron size={15} />
    </IconButton>
  );
}
