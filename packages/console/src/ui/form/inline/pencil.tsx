import { IconPencil } from '@tabler/icons-react';
import classes from './pencil.module.css';

/** Button that opens an inline edit dialog. `label` is its accessible name. */
export function Pencil({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <button type="button" className={classes['pencil']} onClick={onClick} aria-label={label}>
      <IconPencil size={14} />
    </button>
  );
}
