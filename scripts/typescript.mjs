/** node --import scripts/typescript.mjs FILE.ts: runs a TypeScript file from source. */
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
