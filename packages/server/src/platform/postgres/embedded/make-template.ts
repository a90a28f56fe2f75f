/** Build step `node make-postgres-template.js FOLDER`: makes the template of new embedded databases in a folder. */
import { makeTemplate } from './template.ts';

await makeTemplate(process.argv[2]!);
