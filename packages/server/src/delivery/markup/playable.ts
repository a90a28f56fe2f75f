import { scriptValue } from './escape.ts';

/** What a playable's markup is made of; all addresses are complete. */
export interface PlayableMarkup {
  /** The page as it was uploaded. */
  pageUrl: string;
  clickUrl: string;
  /** Called once, when the ad can be seen: our tracker first, then the measurement partner's. */
  impressionUrls: readonly string[];
}

/**
 * Runs in the web view of the app (MRAID 2.0 and 3.0). Waits until the container is ready, leads every way out to our
 * click address whatever the page itself would open, calls the pixels once the ad can be seen, and puts the page in its
 * own place: there it finds the container's `mraid`, which a frame would hide from it.
 */
const loader = `(function(a){
var w=window,d=document,m=w.mraid,seen=0,out;
function see(){if(!seen++)a.i.forEach(function(u){new Image().src=u})}
function exit(){out?out.call(m,a.c):w.open(a.c)}
function run(){
if(m){out=m.open;m.open=exit;
if(m.isViewable()){see()}else{m.addEventListener('viewableChange',function(v){if(v)see()});
if(parseFloat(m.getVersion())>=3)m.addEventListener('exposureChange',function(p){if(p>0)see()})}}else see();
w.clickTag=a.c;
fetch(a.p).then(function(r){return r.text()}).then(function(t){
d.open();d.write(t.replace(/<scrip[t][^>]+mraid\\.js[^>]*>\\s*<\\/scrip[t]>/ig,''));d.close()})}
m&&m.getState()==='loading'?m.addEventListener('ready',run):run()
})`.replaceAll('\n', '');

/** The HTML of a playable: a small page that asks for MRAID and then loads the playable into itself. */
export function playableMarkup({ pageUrl, clickUrl, impressionUrls }: PlayableMarkup): string {
  const argument = scriptValue({ p: pageUrl, c: clickUrl, i: impressionUrls });
  return (
    '<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">' +
    `<script src="mraid.js"></script></head><body style="margin:0"><script>${loader}(${argument})</script></body></html>`
  );
}
