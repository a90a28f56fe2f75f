import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodedUrl } from '../../platform/escape.ts';
import { type Tag, readTags } from '../../platform/html.ts';
import { appOpening } from './app-opening.ts';

const STORE = 'https://play.google.com/store/apps/details?id=com.example.game&referrer=a%26b';
const android = { os: 'android', bundle: 'com.example.game' } as const;
const ios = { os: 'ios', bundle: '1234567890' } as const;

function tagsOf(html: string): Tag[] {
  const tags: Tag[] = [];
  readTags(html, (tag) => tags.push(tag));
  return tags;
}

const hrefsOf = (html: string) =>
  tagsOf(html).flatMap(({ name, attributes }) => (name === 'a' ? [attributes.get('href')] : []));

test('a universal link is opened by a redirect', () => {
  expect(appOpening('https://example.com/offers/1', STORE, ios)).toEqual({
    location: 'https://example.com/offers/1',
  });
});

test('a scheme of the app is opened by a page, which leads to the store otherwise', () => {
  expect(hrefsOf(appOpening('myapp://offers/1?a=b&c=d', STORE, ios).page!.html)).toEqual([
    'myapp://offers/1?a=b&c=d',
    STORE,
  ]);
});

test('on Android the page opens the advertised app and no other', () => {
  const [opening] = hrefsOf(appOpening('myapp://offers/1?a=b#c', STORE, android).page!.html);
  expect(opening).toBe(
    `intent://offers/1?a=b#c#Intent;scheme=myapp;package=com.example.game;S.browser_fallback_url=${encodeURIComponent(STORE)};end`,
  );
});

test('the page runs its own script alone, whatever the links are', () => {
  const scripts = new Set<string>();
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(android, ios), (text, app) => {
      // As the macros of a deep link are filled.
      const deepLink = encodedUrl(`myapp://x?y="'><script>alert(1)</script>${text}#Intent;package=evil;end`);
      const { html, headers } = appOpening(deepLink, encodedUrl(`https://store.example/?z='"<img onerror=x>${text}`), app).page!; // prettier-ignore
      const tags = tagsOf(html);
      expect(tags.map(({ name }) => name).join()).toBe('!doctype html,html,head,meta,meta,meta,title,style,body,p,a,a,script'); // prettier-ignore
      for (const { attributes } of tags)
        expect([...attributes.keys()].filter((name) => name.startsWith('on'))).toEqual([]);
      const [opening = ''] = hrefsOf(html);
      expect(opening).toMatch(/^(?:myapp|intent):/);
      // Android reads what follows the last # as the intent's.
      if (app.os === 'android')
        expect(opening.slice(opening.lastIndexOf('#'))).toMatch(
          /^#Intent;scheme=myapp;package=com\.example\.game;S\.browser_fallback_url=[\w.%~-]+;end$/,
        );
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'sha256-/);
      scripts.add(tags.at(-1)!.text);
    }),
  );
  expect(scripts.size).toBe(1);
});
