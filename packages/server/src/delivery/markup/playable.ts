import { scriptValue } from './escape.ts';

/** Inputs of a playable's markup. All URLs are final: macros are filled in. */
export interface PlayableMarkup {
  /** URL of the uploaded page. */
  pageUrl: string;
  clickUrl: string;
  /** Called once, when the ad becomes viewable: our tracker, then the measurement partner's. */
  impressionUrls: readonly string[];
}

/**
 * Script that runs in the app's web view (MRAID 2.0 and 3.0). Waits until the container is ready, sends every exit to our
 * click URL whatever the page itself opens, calls the pixels once the ad is viewable, and replaces its own document with
 * the page: there the page finds the container's `mraid`, which it could not reach from a frame. The page can replace
 * whatever it shares with this script, so what runs after it uses references that were taken before, and no methods.
 */
const loader = `(function(a){
var w=window,d=document,m=w.mraid,seen=0,out,go=w.open,I=Image,R=Reflect.apply,
set=Object.getOwnPropertyDescriptor(I.prototype,'src').set;
function see(){if(!seen++)for(var k=0;k<a.i.length;k++)R(set,new I(),[a.i[k]])}
function exit(){out?R(out,m,[a.c]):R(go,w,[a.c])}
function run(){
if(m){out=m.open;m.open=exit;
if(m.isViewable()){see()}else{m.addEventListener('viewableChange',function(v){if(v)see()});
if(parseFloat(m.getVersion())>=3)m.addEventListener('exposureChange',function(p){if(p>0)see()})}}else see();
w.clickTag=a.c;
fetch(a.p).then(function(r){return r.text()}).then(function(t){
d.open();d.write(t.replace(/<scrip[t][^>]+mraid\\.js[^>]*>\\s*<\\/scrip[t]>/ig,''));d.close()})}
m&&m.getState()==='loading'?m.addEventListener('ready',run):run()
})`.replaceAll('\n', '');

/** HTML of a playable: a small page that requests MRAID and then loads the playable into itself. */
export function playableMarkup({ pageUrl, clickUrl, impressionUrls }: PlayableMarkup): string {
  const argument = scriptValue({ p: pageUrl, c: clickUrl, i: impressionUrls });
  return (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<script src="mraid.js"></script></head><body style="margin:0"><script>${loader}(${argument})</script></body></html>`
  );
}
