import { Anchor, Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a company in the operator console; `back` has the arrow of a way back. */
export function CompanyLink({
  uuid,
  back = false,
  children,
}: {
  uuid: string;
  back?: boolean;
  children: ReactNode;
}) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link to={'/operator/companies/$uuid' as string} params={{ uuid } as never} {...props} />
      )}
    >
      {back ? (
        <Group component="span" gap={4} display="inline-flex">
          <IconArrowLeft size={15} aria-hidden /> {children}
        </Group>
      ) : (
        children
      )}
    </Anchor>
  );
}
