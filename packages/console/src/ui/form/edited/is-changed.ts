import type { UseFormReturnType } from '@mantine/form';
import { hashKey } from '@tanstack/react-query';

/**
 * Whether a form has other values than the saved ones. Not `isDirty` of the form, which only looks at the fields that were touched last
 * once one was: one that is set to its saved value makes the form clean whatever the others have.
 */
export const isChanged = <Values extends Record<string, unknown>>(form: UseFormReturnType<Values>): boolean =>
  hashKey([form.getValues()]) !== hashKey([form.getInitialValues()]);
