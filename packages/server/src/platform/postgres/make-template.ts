/** node make-postgres-template.js FOLDER: makes the template of new embedded databases there, a step of the build. */
import { makeTemplate } from './template.ts';

await makeTemplate(process.argv[2]!);
