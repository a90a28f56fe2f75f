/** node --import scripts/typescript.mjs FILE.ts: runs TypeScript from its sources. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
