import { expect, test } from 'vitest';
import { exitsOf } from './playable-html.ts';

const script = (code: string) => `<html><body><script>${code}</script></body></html>`;

test.each([
  ['mraid.open', script("cta.onclick = () => mraid.open('https://store.example')")],
  ['mraid.open', script("window.mraid && window.mraid['open'](url)")],
  ['mraid.open', '<button onclick="mraid.open()">Play</button>'],
  ['mraid.openStoreUrl', script('mraid?.openStoreUrl()')],
  ['window.open', script('window.open(url)')],
  ['window.open', script("open('https://store.example')")],
  ['link', '<a href="https://store.example"><img></a>'],
  ['link', '<svg><a xlink:href="market://details?id=com.a.b"><path/></a></svg>'],
  ['link', script('document.body.innerHTML = \'<a href="https://store.example">Play</a>\'')],
  ['location', script('window.location.href = url')],
  ['location', script("location='https://store.example'")],
  ['location', script('top.location=u')],
  ['location', script('window.top.location.href=u')],
  ['location', script('location.assign(url)')],
  ['ExitApi.exit', script('ExitApi.exit()')],
  ['FbPlayableAd.onCTAClick', script('FbPlayableAd.onCTAClick()')],
  ['dapi.openStoreUrl', script('dapi.openStoreUrl()')],
  ['window.install', script('window.install && window.install()')],
  ['clickTag', script('var clickTag = "https://store.example"; go(clickTag)')],
  [
    'ExitApi.exit',
    `<html><script src="data:text/javascript;base64,${btoa('ExitApi.exit()')}"></script></html>`,
  ],
])('%s is found', (exit, page) => {
  expect(exitsOf(page)).toContain(exit);
});

test.each([
  '<html><body>Play</body></html>',
  '<a href="#"><a href=""><a href="javascript:void(0)">Play</a>',
  script('var location = gl.getUniformLocation(p, n); if (location == 1) x.location = 2'),
  script("request.open('GET', 'level.json'); reinstall(); game.install"),
  '<p>mraid.open</p>',
  `<html><script src="data:text/javascript;base64,${btoa("location.href = 'https://store.example'")}"></script></html>`,
])('%s has no exit', (page) => {
  expect(exitsOf(page)).toEqual([]);
});
