import { type Brand, type Palette, motifSvg } from './artwork.ts';

const GOAL = 5;

/** A playable ad: one HTML page without external resources, in which a few taps lead to the store. Uses MRAID. */
export function drawPlayable(brand: Brand, palette: Palette): string {
  const picture = `<svg viewBox="-100 -100 200 200" aria-hidden="true">${motifSvg(brand, palette)}</svg>`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${brand.name}</title>
<script src="mraid.js"></script>
<style>
html,body{height:100%;margin:0;overflow:hidden;font-family:system-ui,sans-serif;color:${palette.text}}
body{background:linear-gradient(135deg,${palette.from},${palette.to});touch-action:manipulation}
#count{position:absolute;top:6%;width:100%;text-align:center;font-size:20px;font-weight:600}
#piece{position:absolute;width:28vmin;height:28vmin;padding:0;border:0;background:none;cursor:pointer;transition:left .25s,top .25s}
#end{display:none;height:100%;flex-direction:column;align-items:center;justify-content:center;gap:16px;text-align:center}
#end svg{width:40vmin;height:40vmin}
#end h1{margin:0;font-size:28px}
#end p{margin:0 20px}
#go{border:0;border-radius:28px;padding:14px 32px;font-size:18px;font-weight:700;background:${palette.accent};color:${palette.onAccent};cursor:pointer}
</style>
</head>
<body>
<div id="play"><div id="count" aria-live="polite"></div><button id="piece" aria-label="Catch it">${picture}</button></div>
<div id="end">${picture}<h1>${brand.name}</h1><p>${brand.tagline}</p><button id="go">${brand.callToAction}</button></div>
<script>
var left = ${GOAL};
var get = function (id) { return document.getElementById(id); };
function move() {
  get('count').textContent = 'Tap ' + left + ' more';
  get('piece').style.left = 6 + Math.random() * 60 + '%';
  get('piece').style.top = 16 + Math.random() * 52 + '%';
}
get('piece').onclick = function () {
  left -= 1;
  if (left > 0) return move();
  get('play').style.display = 'none';
  get('end').style.display = 'flex';
};
get('go').onclick = function () {
  if (window.mraid) mraid.open(window.clickTag || '');
  else window.open(window.clickTag);
};
move();
</script>
</body>
</html>
`;
}
