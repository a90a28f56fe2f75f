import type { ActionIconProps, AnchorProps, ButtonProps } from '@mantine/core';
import { ActionIcon, Anchor, Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, Ref } from 'react';

type Native<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** Links of the console in the shape of the component library, with typed addresses. */
export const AnchorLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />);
export const ActionIconLink = createLink((props: Native<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));
