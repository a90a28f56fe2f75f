/** Rules for all texts of the repository. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const TEXTS = /\.(md|ts|tsx|mjs|css|ya?ml)$/;
const SKIPPED = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results', 'playwright-report']);

/**
 * Section signs, and sections of a text without a name, such as those of a specification. A section of a public standard
 * is cited with its name: "section 3.2.4 of OpenRTB 2.6" or "RFC 9110, section 14".
 */
const CITATIONS = [
  /\u00a7/,
  /\b(specification|spec|decisions?|brief|requirements),? (sections?|chapters?)\b/i,
  /\b(sections?|chapters?) (of )?(the )?(product )?(specification|spec|decisions?|brief)\b/i,
  /\b(the|product) specification (says|wants|demands|asks|requires|gives|of the product)\b/i,
  /\b(?<!\b(?:RFC \d+|(?:OpenRTB|VAST|GPP|TCF|ASVS|Native) [\d.]+),? )sections? \d[\d.]*(?![\d.]| of (the )?[A-Z])/i,
];

/** A citation that is the text or the target of a Markdown link. */
const LINKS = /\[([^\]]*)\]\(([^)\s]+)\)/g;

/** Citations of texts outside the repository, as `path:line: what is wrong`. */
export function citationBreaches(root) {
  return [...textsOf(root)].flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const cited = firstCitation(withoutLinks(line, dirname(join(root, path))));
      return cited ? [`${path}:${index + 1}: cites a text outside the repository: "${cited}"`] : [];
    });
  });
}

/**
 * Folders of one person's machine, and addresses of people. `/root/` is the home of a container's root; tests may name any
 * folder.
 */
const HOMES = new RegExp(String.raw`(?<![\w.~-])/(?:home|Users|work|tmp)/[\w.-]+`);
const MAIL =
  /[\w.+-]+@(?!(?:[\w-]+\.)*(?:example|invalid|localhost|test|example\.(?:com|net|org))\b)[a-z\d-]+(?:\.[a-z\d-]+)*\.[a-z]{2,}\b/i;
const TESTS = /\.(test|spec)\.tsx?$|\.test\.mjs$|^e2e\/|^packages\/testing\//;

/** Folders of a machine and e-mail addresses of people, as `path:line: what is wrong`. */
export function machineBreaches(root) {
  return [...textsOf(root)].flatMap((path) => {
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const home = TESTS.test(path) ? undefined : HOMES.exec(line)?.[0];
      const mail = MAIL.exec(line)?.[0];
      return [
        ...(home ? [`${path}:${index + 1}: names a folder of one machine: "${home}"`] : []),
        ...(mail
          ? [`${path}:${index + 1}: names an e-mail address outside the domains for examples: "${mail}"`]
          : []),
      ];
    });
  });
}

/** Sources whose sentences and figures people read on the screen. */
const SHOWN = /^packages\/(?:console|contract|server)\/src\/.*\.tsx?$/;
const COMMENT = /^\s*(?:\/\/|\*|\/\*)/;
/** A percentage with a space, and thousands with the commas of a language. */
const FORMATS = [/(?:\d|\}) %(?=[`'".,;:)<])/, /\.toLocaleString\('en/];

/** Figures that are not written as all others are, as `path:line: what is wrong`. */
export function formatBreaches(root) {
  return [...textsOf(root)].flatMap((path) => {
    if (!SHOWN.test(path) || TESTS.test(path)) return [];
    const lines = readFileSync(join(root, path), 'utf8').split('\n');
    return lines.flatMap((line, index) => {
      const found = COMMENT.test(line)
        ? undefined
        : FORMATS.map((format) => format.exec(line)?.[0]).find(Boolean);
      return found
        ? [
            `${path}:${index + 1}: writes a figure unlike all others: "${found}" (82%, and numberText of the contract)`,
          ]
        : [];
    });
  });
}

function firstCitation(line) {
  for (const citation of CITATIONS) {
    const found = citation.exec(line);
    if (found) return found[0];
  }
  return null;
}

/** The line without Markdown links to files that exist. */
function withoutLinks(line, folder) {
  return line.replaceAll(LINKS, (link, _text, target) => {
    const [file] = target.split('#');
    return file !== '' && existsSync(join(folder, file)) ? '' : link;
  });
}

function* textsOf(root, folder = '') {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith('.') && entry.name !== '.github';
      if (!isHidden && !SKIPPED.has(entry.name)) yield* textsOf(root, path);
    } else if (TEXTS.test(entry.name)) yield path;
  }
}
