import { Stack, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';

interface FoldedFieldsProps {
  /** Names the fields. */
  label: string;
  /** Whether they are shown at first: where one of them has a value, or an error. */
  isUsed: boolean;
  children: ReactNode;
}

/** Fields of a form that few need, below a button that shows them. They stay as long as one of them is used. */
export function FoldedFields({ label, isUsed, children }: FoldedFieldsProps) {
  const [isOpen, setIsOpen] = useState(isUsed);
  const id = useId();
  const isShown = isOpen || isUsed;
  const Icon = isShown ? IconChevronDown : IconChevronRight;
  return (
    <Stack gap="sm">
      <UnstyledButton
        fz="sm"
        fw={500}
        w="fit-content"
        mih={24}
        aria-expanded={isShown}
        {...(isShown && { 'aria-controls': id })}
        onClick={() => setIsOpen(!isShown)}
      >
        <Icon size={16} style={{ verticalAlign: 'text-bottom', marginInlineEnd: 4 }} aria-hidden />
        {label}
      </UnstyledButton>
      {isShown && <Stack id={id}>{children}</Stack>}
    </Stack>
  );
}
