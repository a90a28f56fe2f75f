import { createContext, runInContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { playableMarkup } from './playable.ts';

const playable = {
  pageUrl: 'https://dsp.example/m/1.html',
  clickUrl: 'https://dsp.example/t/click/abc',
  impressionUrls: ['https://dsp.example/t/impression/abc', 'https://view.example/v'],
};

/** A fake web view with an MRAID container. */
function webView(page: string, { version = '2.0', loading = false, viewable = true, mraid = true } = {}) {
  const listeners: Record<string, ((value?: unknown) => void)[]> = {};
  const seen = { opened: [] as string[], pixels: [] as string[], written: '', fetched: [] as string[] };
  const container = {
    getState: () => (loading ? 'loading' : 'default'),
    getVersion: () => version,
    isViewable: () => viewable,
    addEventListener: (event: string, listener: () => void) => (listeners[event] ??= []).push(listener),
    open: (url: string) => void seen.opened.push(url),
  };
  const window: Record<string, unknown> = {
    mraid: mraid ? container : undefined,
    open: (url: string) => void seen.opened.push(url),
    addEventListener: () => undefined,
  };
  const context = createContext({
    window,
    document: {
      open: () => undefined,
      close: () => undefined,
      write: (text: string) => (seen.written += text),
    },
    Image: class {
      set src(url: string) {
        seen.pixels.push(url);
      }
    },
    fetch: (url: string) => {
      seen.fetched.push(url);
      // oxlint-disable-next-line unicorn/no-thenable -- resolved at once, so that no test has to wait
      const text = { then: (next: (text: string) => void) => next(page) };
      // oxlint-disable-next-line unicorn/no-thenable -- the same
      return { then: (next: (response: object) => unknown) => (next({ text: () => text }), text) };
    },
    parseFloat,
  });
  return {
    seen,
    container,
    window,
    run: (markup: string) =>
      void runInContext(/<body[^>]*><script>([\s\S]*)<\/script>/.exec(markup)![1]!, context),
    /** Runs code of the page. */
    play: (code: string) => void runInContext(code, context),
    emit: (event: string, value?: unknown) => listeners[event]?.forEach((listener) => listener(value)),
  };
}

test('the page replaces the markup, without a second MRAID', () => {
  const view = webView('<head><script src="mraid.js"></script></head><p>Play</p>');
  view.run(playableMarkup(playable));
  expect(view.seen.fetched).toEqual([playable.pageUrl]);
  expect(view.seen.written).toBe('<head></head><p>Play</p>');
});

test('any URL that the page opens leads to our click address', () => {
  const view = webView('<p>Play</p>');
  view.run(playableMarkup(playable));
  view.container.open('https://elsewhere.example/');
  expect(view.seen.opened).toEqual([playable.clickUrl]);
  expect(view.window['clickTag']).toBe(playable.clickUrl);
});

test.each([
  ['location.href=u', 'adExit.href=u'],
  ['if(window.location.href == x)', 'if(window.location.href == x)'],
  ['a;top.location = u', 'a;adExit.href= u'],
  ['location.replace(u)', 'adExit.replace(u)'],
  ['document.location.assign(u)', 'adExit.assign(u)'],
  ['window.top.location.href = u', 'adExit.href= u'],
  ['window.parent.location.assign(u)', 'adExit.assign(u)'],
  ["go(),location='https://s.example'", "go(),adExit.href='https://s.example'"],
  ['location = `market://details`', 'adExit.href= `market://details`'],
  ["let  location = 'https://s.example'", "let  location = 'https://s.example'"],
  ['var location = gl.getUniformLocation(p)', 'var location = gl.getUniformLocation(p)'],
  ['model.location = 2; e.parent.location = 3', 'model.location = 2; e.parent.location = 3'],
  ['go(location.href)', 'go(location.href)'],
])('"%s" in a page becomes "%s"', (page, written) => {
  const view = webView(page);
  view.run(playableMarkup(playable));
  expect(view.seen.written).toBe(written);
});

test('nothing happens before the container is ready', () => {
  const view = webView('<p>Play</p>', { loading: true });
  view.run(playableMarkup(playable));
  expect(view.seen.fetched).toEqual([]);
  view.emit('ready');
  expect(view.seen.fetched).toEqual([playable.pageUrl]);
});

test.each([
  ['2.0', 'viewableChange', false, true],
  ['3.0', 'exposureChange', 0, 60],
])('in MRAID %s the pixels are called once, when the ad is viewable', (version, event, hidden, shown) => {
  const view = webView('<p>Play</p>', { version, viewable: false });
  view.run(playableMarkup(playable));
  view.emit(event, hidden);
  expect(view.seen.pixels).toEqual([]);
  view.emit(event, shown);
  view.emit(event, shown);
  expect(view.seen.pixels).toEqual(playable.impressionUrls);
});

test.each([
  ['Image', 'Image = function () { return { set src(url) { new Old().src = forge(url); } } };'],
  [
    'the setter of src',
    `const { set } = Object.getOwnPropertyDescriptor(Old.prototype, 'src');
     Object.defineProperty(Old.prototype, 'src', { set(url) { set.call(this, forge(url)); } });`,
  ],
  [
    'loops over arrays',
    'Array.prototype.forEach = Array.prototype.map = function (each) { for (const url of this) each(forge(url)); };',
  ],
  [
    'calls of functions',
    `const { apply } = Reflect;
     Function.prototype.call = function (self, url) { return apply(this, self, [forge(url)]); };
     Function.prototype.apply = function (self, [url]) { return apply(this, self, [forge(url)]); };
     Reflect.apply = (code, self, [url]) => apply(code, self, [forge(url)]);`,
  ],
  ['fetch and beacons', 'fetch = () => {}; navigator = { sendBeacon() {} };'],
])('a page that replaces %s cannot change the price in a pixel', (_name, code) => {
  const view = webView('<p>Play</p>', { viewable: false });
  const impressionUrls = ['https://dsp.example/t/impression/abc?price=4', 'https://view.example/v'];
  view.run(playableMarkup({ ...playable, impressionUrls }));
  view.play(
    `{ const Old = Image; const forge = (url) => String(url).replace(/price=.*/, 'price=0'); ${code} }`,
  );
  view.emit('viewableChange', true);
  expect(view.seen.pixels).toEqual(impressionUrls);
});

test('without MRAID the page plays and its pixels are called', () => {
  const view = webView('<p>Play</p>', { mraid: false });
  view.run(playableMarkup(playable));
  expect(view.seen).toMatchObject({ written: '<p>Play</p>', pixels: playable.impressionUrls });
});

test('addresses are escaped in the script, and arrive unchanged', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('</script>', '<!--', '\u2028')),
      (nasty) => {
        const url = `https://x/${nasty}`;
        const markup = playableMarkup({ pageUrl: url, clickUrl: url, impressionUrls: [url] });
        expect(markup.split(/<\/?script/i)).toHaveLength(5);
        expect(markup).not.toContain('<!--');
        const view = webView('');
        view.run(markup);
        view.container.open('');
        expect(view.seen).toMatchObject({ fetched: [url], pixels: [url], opened: [url] });
      },
    ),
  );
});
