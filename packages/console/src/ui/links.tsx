import type { ActionIconProps, AnchorProps, ButtonProps } from '@mantine/core';
import { ActionIcon, Anchor, Button } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes, ComponentProps, Ref } from 'react';
import classes from './links.module.css';

type Native<Props> = Props &
  Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof Props> & { ref?: Ref<HTMLAnchorElement> };

/** Links of the console in the shape of the component library, with typed addresses. */
export const AnchorLink = createLink((props: Native<AnchorProps>) => <Anchor {...props} />);
export const ButtonLink = createLink((props: Native<ButtonProps>) => <Button component="a" {...props} />);
export const ActionIconLink = createLink((props: Native<ActionIconProps>) => (
  <ActionIcon component="a" {...props} />
));

function RowAnchor(props: ComponentProps<'a'>) {
  return <a {...props} className={classes['row']} />;
}
/** A link in a row of a table, lighter than a button's: there is one in each row. */
export const RowLink = createLink(RowAnchor);
