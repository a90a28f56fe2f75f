import { existsSync } from 'node:fs';
import { installByApt } from './apt.mjs';

const places = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
];

/** Where the browser is: CHROMIUM_PATH, or where the distributions put it. Undefined when there is none. */
export function chromiumPath() {
  return [process.env.CHROMIUM_PATH, ...places].find((path) => path && existsSync(path));
}

/** Installs Chromium by apt where that is possible and it is missing; otherwise answers a sentence that says what to do. */
export function ensureChromium() {
  if (chromiumPath()) return null;
  const hint =
    'The browser tests need Chromium: install it (Debian: sudo apt-get install chromium) or name it in CHROMIUM_PATH.';
  installByApt('chromium');
  return chromiumPath() ? null : hint;
}
