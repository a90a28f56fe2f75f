import { Button, CloseButton, Group } from '@mantine/core';
import type { ReactNode } from 'react';

interface RemovableRowProps {
  /** Says to screen readers what the button removes. */
  remove: string;
  onRemove: () => void;
  /** How the fields of a line are aligned: fields with labels at their lower edges. */
  align?: 'center' | 'flex-end';
  /** On a phone, where the fields of an entry have several lines, the button has the text of `remove` below them. */
  hasText?: boolean;
  children: ReactNode;
}

/** Fields of one entry of a list, which wrap on a narrow page, and next to them a button that removes the entry. */
export function RemovableRow({
  remove,
  onRemove,
  align = 'center',
  hasText = false,
  children,
}: RemovableRowProps) {
  return (
    <Group gap="xs" align={align} wrap="nowrap">
      <Group gap="xs" align={align} wrap="wrap" style={{ minWidth: 0 }}>
        {children}
        {hasText && (
          <Button hiddenFrom="xs" size="compact-sm" variant="default" w="100%" onClick={onRemove}>
            {remove}
          </Button>
        )}
      </Group>
      <CloseButton
        mb={align === 'flex-end' ? 4 : 0}
        aria-label={remove}
        onClick={onRemove}
        {...(hasText && { visibleFrom: 'xs' })}
      />
    </Group>
  );
}
