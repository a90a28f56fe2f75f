/**
 * Whether a text is a URL, alone or relative to `base`. In place of `URL.canParse`, which in Node.js 20 refuses URLs with Latin-1 letters
 * such as `ü` once the engine has optimised its caller. Pure.
 */
export function canParseUrl(text: string, base?: string): boolean {
  try {
    return Boolean(new URL(text, base));
  } catch {
    return false;
  }
}
