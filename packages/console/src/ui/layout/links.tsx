import {
  ActionIcon,
  type ActionIconProps,
  Anchor,
  type AnchorProps,
  Button,
  type ButtonProps,
} from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ComponentProps, Ref } from 'react';
import classes from './links.module.css';

type Native<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** Router links with type-checked paths, styled as Mantine components. */
export const AnchorLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />);
export const ActionIconLink = createLink((props: Native<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));

function RowAnchor(props: ComponentProps<'a'>) {
  return <a {...props} className={classes['row']} />;
}
/** A link in a table row, cheaper to render than a Mantine component: each row has one. */
export const RowLink = createLink(RowAnchor);
