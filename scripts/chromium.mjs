import { existsSync } from 'node:fs';
import { installByApt } from './apt.mjs';

const paths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Path of the browser: CHROMIUM_PATH, or its default paths in distributions. Undefined if there is none. */
export function chromiumPath() {
  return [process.env.CHROMIUM_PATH, ...paths].find((path) => path && existsSync(path));
}

/** Installs Chromium with apt if it is missing. Returns null, or instructions if that is not possible. */
export function ensureChromium() {
  if (chromiumPath()) return null;
  const hint =
    'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) or name it in CHROMIUM_PATH.';
  installByApt('chromium');
  return chromiumPath() ? null : hint;
}
