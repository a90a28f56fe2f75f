import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** Name of the selection, for screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  /** Smaller size, for a table's toolbar. */
  small?: boolean;
}

/** Segmented control of radio buttons: arrow keys change the value, and rendering measures no layout. */
export function Segments<Value extends string>({
  label,
  value,
  onChange,
  options,
  small,
}: SegmentsProps<Value>) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={`${classes['segments']} ${small ? classes['small'] : ''}`}
    >
      {options.map((option) => (
        <label key={option.value} className={classes['segment']}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </div>
  );
}

/** Options whose labels are their values. */
export function optionsOf<const Value extends string>(
  values: readonly Value[],
): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: value }));
}
