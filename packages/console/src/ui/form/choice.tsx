import { type Primitive, Select, type SelectProps } from '@mantine/core';

/** A select of one option, which another one can replace and nothing can empty. */
export function Choice<Value extends Primitive = string>(props: SelectProps<Value>) {
  return <Select allowDeselect={false} {...props} />;
}
