import { Caption } from '../../ui/layout/text.tsx';

interface EventNameProps {
  name: string;
  /** Null for the name itself. */
  label: string | null;
}

/** The label of an event with its name beneath, or its name alone. */
export function EventName({ name, label }: EventNameProps) {
  if (label === null) return name;
  return (
    <span>
      {label}
      <Caption span display="block">
        {name}
      </Caption>
    </span>
  );
}
