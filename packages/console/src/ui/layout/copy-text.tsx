import { CopyButton } from '@mantine/core';
import classes from './copy-text.module.css';
import { LazyTooltip } from './lazy-tooltip.tsx';

/** What {@link CopyText} shows and copies. */
/** A text, such as an id, that a click copies. Long ones are shortened in the middle unless `full`. */
export function CopyText({ value, label, full = false }: { value: string; label: string; full?: boolean }) {
  const shown = !full && value.length > 18 ? `${value.slice(0, 8)}…${value.slice(-6)}` : value;
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <LazyTooltip label={copied ? 'Copied' : `Copy ${label}`}>
          <button
            type="button"
            className={classes['text']}
            onClick={copy}
            aria-label={`Copy ${label} ${shown}`}
          >
            {shown}
          </button>
        </LazyTooltip>
      )}
    </CopyButton>
  );
}
