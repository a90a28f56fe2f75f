import classes from './row-checkbox.module.css';

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  onChange: () => void;
}

/** The checkbox that chooses a row of a table. */
export function RowCheckbox({ label, checked, onChange }: RowCheckboxProps) {
  return (
    <input
      type="checkbox"
      className={classes['box']}
      aria-label={label}
      checked={checked}
      onChange={onChange}
    />
  );
}
