import { IconPencil } from '@tabler/icons-react';
import classes from './pencil.module.css';

/** The button that opens what changes a value in place. `label` names it. */
export function Pencil({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={classes['pencil']} onClick={onClick} aria-label={label}>
      <IconPencil size={14} />
    </button>
  );
}
