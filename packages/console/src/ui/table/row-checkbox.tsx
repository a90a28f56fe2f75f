import classes from './row-checkbox.module.css';

interface RowCheckboxProps {
  label: string;
  checked: boolean;
  onChange: () => void;
}

/** Checkbox that selects a table row. */
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
