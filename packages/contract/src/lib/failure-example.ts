import { Failure } from './wire.ts';
import { exampleOf } from './example.ts';

/** The example of an error response. */
export const failureExample = [
  exampleOf(Failure, { data: 'Required', errors: [{ field: 'name', message: 'Required' }] }, 'Failure'),
];
