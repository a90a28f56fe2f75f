import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
  /** Small, as in the toolbar of a table. */
  small?: boolean;
}

/** One of a few, all in sight. Radio buttons beneath: arrow keys change it, and nothing is measured to draw it. */
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

/** Options that are called what they are. */
export function optionsOf<const Value extends string>(
  values: readonly Value[],
): { value: Value; label: string }[] {
  return values.map((value) => ({ value, label: value }));
}
