import { Tooltip, type TooltipProps } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, type SyntheticEvent, useEffect, useId, useState } from 'react';
import classes from './lazy-tooltip.module.css';

interface LazyTooltipProps extends Pick<
  TooltipProps,
  'label' | 'multiline' | 'maw' | 'position' | 'disabled'
> {
  /** Exactly one element. */
  children: ReactNode;
}

/**
 * A tooltip for tables with hundreds of them: it mounts when its child is first hovered or focused, by mouse, touch
 * or keyboard. Escape closes it.
 */
export function LazyTooltip({ children, ...tooltip }: LazyTooltipProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null);
  const [opened, setOpened] = useState(false);
  const id = useId();
  useEffect(() => {
    if (!opened || !target) return;
    target.setAttribute('aria-describedby', id);
    return () => target.removeAttribute('aria-describedby');
  }, [opened, target, id]);
  const open = (event: SyntheticEvent<HTMLElement>) => {
    setTarget(event.currentTarget.firstElementChild as HTMLElement);
    setOpened(true);
  };
  const close = () => setOpened(false);
  const closeOnEscape = ({ key }: KeyboardEvent) => key === 'Escape' && close();
  return (
    <span
      className={classes['target']}
      onPointerEnter={open}
      onPointerLeave={close}
      onFocus={open}
      onBlur={close}
      onKeyDown={closeOnEscape}
    >
      {children}
      {target && <Tooltip {...tooltip} id={id} target={target} opened={opened} />}
    </span>
  );
}
