import type { Unknown } from '../../lib/loadable.ts';
import { SkeletonBar } from './skeleton-bar.tsx';

/** In place of a figure that is not known: a placeholder while it loads, a dash after a failure. */
export function UnknownFigure({ why }: { why: Unknown }) {
  return why === 'failed' ? '–' : <SkeletonBar width={48} />;
}
