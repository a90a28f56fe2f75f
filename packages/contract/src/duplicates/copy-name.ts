import { limits } from '../lib/limits.ts';
import { truncate } from '../lib/truncate.ts';

/** The name of a copy: 'Copy of' and the name, as much of it as a title may have. */
export const copyName = (name: string): string => truncate(`Copy of ${name}`, limits.titleMax).trim();
