import classes from './figure-frame.module.css';

/** In place of a short text or a figure while it loads; as high as its line. `width` in pixels. */
export function SkeletonBar({ width }: { width: number }) {
  return <span className={classes['skeleton']} style={{ width }} data-skeleton="text" />;
}
