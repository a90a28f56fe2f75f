import type { Unknown } from '../lib/figures.ts';
import classes from './figure-frame.module.css';

/** In place of a figure that is not known: a placeholder while it loads, a dash after a failure. */
export function UnknownFigure({ why }: { why: Unknown }) {
  return why === 'failed' ? '–' : <span className={classes['skeleton']} data-skeleton />;
}
