import { scriptValue } from '../../platform/escape.ts';

/** Inputs of a playable's markup. All URLs are final: macros are filled in. */
export interface PlayableMarkup {
  /** URL of the uploaded page. */
  pageUrl: string;
  clickUrl: string;
  /** Called once, when the ad becomes viewable: our tracker, then the measurement partner's. */
  impressionUrls: readonly string[];
}

/**
 * Script that runs in the app's web view (MRAID 2.0 and 3.0). Waits until the container is ready, sends every exit to our click
 * URL instead of the URL that the page opens, calls the pixels once the ad is viewable, and replaces its own document with the
 * page: there the page finds the container's `mraid`, which it could not reach from a frame. The page can replace everything that
 * it shares with this script, so code that runs after it uses references that were taken before, and no methods.
 *
 * Exits are the calls of `PLAYABLE_EXITS`, links, and new locations. Nothing can replace `location`: its changes are written anew
 * in the page's text, and where the web view has the Navigation API, all others are cancelled. Exits within half a second count as
 * one, for example if a link also calls `mraid.open`.
 */
const loader = `(function(a){
var w=window,d=document,m=w.mraid,seen=0,at=0,busy,out,go=w.open,now=Date.now,I=Image,R=Reflect.apply,
set=Object.getOwnPropertyDescriptor(I.prototype,'src').set,
N='(^|[^\\\\w$.])',W='(?:window|self|top|parent|document)\\\\.',E='\\\\s*=(?!=)',X='$1adExit.';
function see(){if(!seen++)for(var k=0;k<a.i.length;k++)R(set,new I(),[a.i[k]])}
function yes(){return true}
function exit(){var t=now();if(t<at||t>at+500){at=t;busy=1;w.open=go;
try{out?R(out,m,[a.c]):R(go,w,[a.c])}finally{busy=0;w.open=exit}}return null}
function to(u){/^#/.test(u)?w.location.hash=u:exit()}
function link(e){for(var n=e.target,h;n;n=n.parentNode)if(/^(a|area)$/i.test(n.nodeName)){
h=n.getAttribute('href')||n.getAttribute('xlink:href');
if(h&&!/^\\s*(#|javascript:)/i.test(h)){e.preventDefault();exit()}return}}
function leave(e){var u=e.destination;
if(!busy&&e.cancelable&&!u.sameDocument&&/push|replace/.test(e.navigationType)&&u.url!==a.c&&/^(http|market|itms)/.test(u.url)){
e.preventDefault();exit()}}
function hook(){
w.open=w.install=exit;w.clickTag=w.clickTAG=a.c;w.ExitApi={exit:exit};w.FbPlayableAd={onCTAClick:exit};
w.dapi={openStoreUrl:exit,isReady:yes,isViewable:yes,removeEventListener:yes,getAudioVolume:function(){return 100},
getScreenSize:function(){return{width:w.innerWidth,height:w.innerHeight}},
addEventListener:function(e,f){if(/ready|viewable/.test(e))f({isViewable:true})}};
w.adExit=Object.defineProperty({assign:to,replace:to},'href',{set:to});
w.addEventListener('click',link,true);
w.navigation&&w.navigation.addEventListener('navigate',leave)}
function exits(t){return t.replace(RegExp(N+'(?:'+W+')+location(?:\\\\.href)?'+E,'g'),X+'href=')
.replace(RegExp(N+'location\\\\.href'+E,'g'),X+'href=')
.replace(RegExp('(\\\\b(?:var|let|const)\\\\s+|^|[^\\\\w$.])location'+E+'(?=\\\\s*["\\'\\x60](?:https?:|market:|itms))','g'),
function(s,p){return/\\w/.test(p)?s:p+'adExit.href='})
.replace(RegExp(N+'(?:'+W+')*location\\\\.(assign|replace)\\\\(','g'),X+'$2(')}
function run(){
if(m){out=m.open;m.open=m.openStoreUrl=exit;
if(m.isViewable()){see()}else{m.addEventListener('viewableChange',function(v){if(v)see()});
if(parseFloat(m.getVersion())>=3)m.addEventListener('exposureChange',function(p){if(p>0)see()})}}else see();
fetch(a.p).then(function(r){return r.text()}).then(function(t){
d.open();hook();d.write(exits(t.replace(/<scrip[t][^>]+mraid\\.js[^>]*>\\s*<\\/scrip[t]>/ig,'')));d.close()})}
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
