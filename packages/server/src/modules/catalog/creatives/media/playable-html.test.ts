import { expect, test } from 'vitest';
import { externalLoadsOf, exitsOf } from './playable-html.ts';

const cases: [string, string[]][] = [
  ['<script src="https://cdn.example/a.js"></script>', ['https://cdn.example/a.js']],
  ["<script async src='game.js'></script>", ['game.js']],
  ['<script src=game.js></script>', ['game.js']],
  ['<script src="mraid.js"></script><script src="./mraid.js?v=1"></script>', []],
  ['<link rel="stylesheet" href="//cdn.example/a.css?a=1&amp;b=2">', ['//cdn.example/a.css?a=1&b=2']],
  ['<img class=x SRC = "a.png"><img data-src="b.png">', ['a.png']],
  ['<img src="data:image/png;base64,AAAA"><img src="blob:1"><link href="#x">', []],
  ['<a href="https://store.example/app">Install</a>', []],
  [
    '<style>b{background:url( "a.png" )} i{background:url(data:x)} @import "c.css";</style>',
    ['a.png', 'c.css'],
  ],
  ['<b style="background:url(https://cdn.example/b.png)">', ['https://cdn.example/b.png']],
  ['<script>fetch("https://a.example/x"); fetch(address); fetch("/x")</script>', ['https://a.example/x']],
  ['<script>r.open("GET", "http://a.example/y", true)</script>', ['http://a.example/y']],
  ['<script>new Image().src = "https://a.example/p.gif"; curl(e.path)</script>', ['https://a.example/p.gif']],
  ['<script>new WebSocket("wss://a.example/s")</script>', ['wss://a.example/s']],
  ['<img src="a.png"><img src="a.png">', ['a.png']],
  ['<!-- <img src="a.png"> --><img alt="a > b" src="b.png">', ['b.png']],
  ['<script>d.write("<script src=\'a.js\'></scr" + "ipt><img src=b.png>")</script>', ['a.js', 'b.png']],
  ['<b style="background:url(&quot;https://cdn.example/b.png&quot;)">', ['https://cdn.example/b.png']],
  [`<img src="${'😀'.repeat(400)}">`, ['😀'.repeat(300)]],
];

test.each(cases)('%s', (page, loads) => {
  expect(externalLoadsOf(page)).toEqual(loads);
});

test('at most twenty are listed', () => {
  const page = Array.from({ length: 50 }, (_, n) => `<img src="${n}.png">`).join('');
  expect(externalLoadsOf(page)).toHaveLength(20);
});

test.each([
  '<script ',
  '<img src="',
  '<style>',
  'url(',
  'url(  ',
  'fetch("https://',
  ' src=',
  '<',
  '<div>',
  '<script>',
  '<b style="url(//',
  'x',
])('a page of five megabytes is read to its end, even if it repeats %j', (piece) => {
  expect(externalLoadsOf(piece.repeat((5 * 1024 * 1024) / piece.length))).toEqual([]);
});

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
