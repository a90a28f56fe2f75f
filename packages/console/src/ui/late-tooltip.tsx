import type { TooltipProps } from '@mantine/core';
import { Tooltip } from '@mantine/core';
import type { KeyboardEvent, ReactNode, SyntheticEvent } from 'react';
import { useEffect, useId, useState } from 'react';
import classes from './late-tooltip.module.css';

interface LateTooltipProps extends Pick<
  TooltipProps,
  'label' | 'multiline' | 'maw' | 'position' | 'disabled'
> {
  /** One element. */
  children: ReactNode;
}

/**
 * A tooltip of which a table holds hundreds: it costs nothing before its child is pointed at or has the focus, by mouse, touch
 * or keyboard. Escape closes it.
 */
export function LateTooltip({ children, ...tooltip }: LateTooltipProps) {
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
