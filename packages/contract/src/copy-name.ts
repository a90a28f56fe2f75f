import { limits } from './limits.ts';
import { truncate } from './truncate.ts';

/** The name of a copy: 'Copy of' and the name, as much of it as a title may have. */
export const copyName = (name: string): string => truncate(`Copy of ${name}`, limits.titleMax).trim();
