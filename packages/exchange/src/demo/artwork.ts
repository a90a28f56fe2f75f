import sharp from 'sharp';
import { lettering, textWidth } from './lettering.ts';

/** Texts and design of an ad. */
export interface Brand {
  name: string;
  tagline: string;
  callToAction: string;
  motif: 'moon' | 'leaf' | 'wave' | 'road';
  palettes: readonly Palette[];
}

export interface Palette {
  name: string;
  /** Gradient of the background, from corner to corner. */
  from: string;
  to: string;
  /** Colour of the picture and the button. */
  accent: string;
  glow: string;
  text: string;
  /** Colour of the button's text. */
  onAccent: string;
}

/** Renders an ad of this size as a PNG. */
export async function drawBanner(
  brand: Brand,
  palette: Palette,
  width: number,
  height: number,
): Promise<Buffer> {
  const svg = bannerSvg(brand, palette, { width, height });
  return sharp(Buffer.from(svg)).png({ compressionLevel: 9 }).toBuffer();
}

/** An ad of this size as SVG. */
function bannerSvg(
  brand: Brand,
  palette: Palette,
  { width, height }: { width: number; height: number },
): string {
  const picture = (x: number, y: number, radius: number): string =>
    `<g transform="translate(${x} ${y}) scale(${radius / 100})">${motifSvg(brand, palette)}</g>`;
  const layout = { brand, palette, width, height, picture };
  const drawing = width / height >= 3 ? strip(layout) : poster(layout);
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">` +
    `<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${palette.from}"/>` +
    `<stop offset="1" stop-color="${palette.to}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#g)"/>${drawing}</svg>`
  );
}

interface Layout {
  brand: Brand;
  palette: Palette;
  width: number;
  height: number;
  /** The brand's picture in a circle around a point. */
  picture: (x: number, y: number, radius: number) => string;
}

/** Layout of a wide banner: picture, text and button side by side. */
function strip({ brand, palette, width, height, picture: draw }: Layout): string {
  const picture = draw(height * 0.55, height / 2, height * 0.36);
  const buttonHeight = height * 0.52;
  const label = height * 0.17;
  const buttonWidth = textWidth(brand.callToAction, label) + buttonHeight;
  const button = pill(
    brand,
    palette,
    width - buttonWidth / 2 - height * 0.22,
    height / 2,
    buttonHeight,
    label,
  );
  const left = height * 1.12;
  const room = width - left - buttonWidth - height * 0.5;
  const name = fitting(brand.name, height * 0.27, room);
  const tagline = fitting(brand.tagline, height * 0.14, room);
  const top = (height - name - tagline - height * 0.16) / 2;
  return (
    picture +
    lettering(brand.name, { x: left, y: top, height: name, colour: palette.text, weight: 0.18 }) +
    lettering(brand.tagline, {
      x: left,
      y: top + name + height * 0.16,
      height: tagline,
      colour: palette.text,
      weight: 0.12,
    }) +
    button
  );
}

/** Layout of other banners: the picture above the text and button, or next to them in landscape formats. */
function poster({ brand, palette, width, height, picture: draw }: Layout): string {
  const lying = width > height * 1.3;
  const side = Math.min(width, height);
  const centre = lying ? width * 0.68 : width / 2;
  const room = (lying ? width * 0.56 : width) - side * 0.16;
  const name = fitting(brand.name, side * 0.095, room);
  const tagline = fitting(brand.tagline, side * 0.047, room);
  const label = side * 0.05;
  const buttonHeight = label * 2.8;
  const words = name + tagline + side * 0.14 + buttonHeight;
  const nameTop = lying
    ? (height - words) / 2
    : height - words - Math.max(side * 0.07, (height * 0.44 - words) / 2);
  const taglineTop = nameTop + name + side * 0.06;
  const buttonMiddle = taglineTop + tagline + side * 0.08 + buttonHeight / 2;
  const picture = lying
    ? draw(width * 0.24, height / 2, side * 0.3)
    : draw(width / 2, nameTop * 0.53, Math.min(width * 0.3, nameTop * 0.41));
  const centred = { x: centre, colour: palette.text, centred: true };
  return (
    picture +
    lettering(brand.name, { ...centred, y: nameTop, height: name, weight: 0.18 }) +
    lettering(brand.tagline, { ...centred, y: taglineTop, height: tagline, weight: 0.12 }) +
    pill(brand, palette, centre, buttonMiddle, buttonHeight, label)
  );
}

/** The largest height up to `height` at which the text fits into the width `room`. */
function fitting(text: string, height: number, room: number): number {
  return Math.min(height, (height * room) / textWidth(text, height));
}

function pill(
  { callToAction }: Brand,
  { accent, onAccent }: Palette,
  centreX: number,
  centreY: number,
  height: number,
  label: number,
): string {
  const width = textWidth(callToAction, label) + height;
  return (
    `<rect x="${centreX - width / 2}" y="${centreY - height / 2}" width="${width}" height="${height}" rx="${height / 2}" fill="${accent}"/>` +
    lettering(callToAction, {
      x: centreX,
      y: centreY - label / 2,
      height: label,
      colour: onAccent,
      weight: 0.17,
      centred: true,
    })
  );
}

/** The brand's picture as SVG elements, within a circle of radius 100. */
export function motifSvg({ motif }: Brand, palette: Palette): string {
  return motifs[motif](palette);
}

const motifs: Record<Brand['motif'], (palette: Palette) => string> = { moon, leaf, wave, road };

/** A ring of lanterns around a crescent, within a circle of radius 100. */
function moon({ accent, glow }: Palette): string {
  const lanterns = Array.from({ length: 9 }, (_, index) => {
    const angle = (index / 9) * 2 * Math.PI - 0.5;
    const [x, y] = [88 * Math.cos(angle), 88 * Math.sin(angle)];
    return `<circle cx="${x}" cy="${y}" r="${5 + (index % 3) * 3}" fill="${index % 2 ? accent : glow}" opacity="0.9"/>`;
  });
  return (
    `<circle r="100" fill="${glow}" opacity="0.14"/><circle r="66" fill="${glow}" opacity="0.16"/>` +
    `<path d="M18 -49A52 52 0 1 0 49 18A42 42 0 0 1 18 -49Z" fill="${accent}"/>${lanterns.join('')}`
  );
}

/** A basket with leaves, within a circle of radius 100. */
function leaf({ accent, glow, text }: Palette): string {
  const blade = (turn: number, colour: string) =>
    `<path d="M0 12C-34 -10 -30 -62 0 -86C30 -62 34 -10 0 12Z" fill="${colour}" transform="rotate(${turn})"/>`;
  return (
    `<circle r="100" fill="${glow}" opacity="0.18"/>` +
    blade(-42, glow) +
    blade(42, glow) +
    blade(0, accent) +
    `<path d="M-62 8H62L48 74C46 80 42 84 36 84H-36C-42 84 -46 80 -48 74Z" fill="${text}"/>` +
    `<path d="M-24 26L-18 66M0 26V66M24 26L18 66" stroke="${accent}" stroke-width="7" stroke-linecap="round" fill="none"/>`
  );
}

/** Waves in a circle. */
function wave({ accent, glow, text }: Palette): string {
  const line = (y: number, colour: string) =>
    `<path d="M-70 ${y}C-50 ${y - 26} -20 ${y - 26} 0 ${y}S50 ${y + 26} 70 ${y}" stroke="${colour}"/>`;
  return (
    `<circle r="100" fill="${glow}" opacity="0.18"/><circle cx="34" cy="-46" r="18" fill="${accent}"/>` +
    `<g fill="none" stroke-width="14" stroke-linecap="round">${line(-8, text)}${line(26, accent)}${line(58, glow)}</g>`
  );
}

/** A road that leads to a marker. */
function road({ accent, glow, text }: Palette): string {
  return (
    `<circle r="100" fill="${glow}" opacity="0.18"/>` +
    `<path d="M-34 86L-10 -6H10L34 86Z" fill="${text}" opacity="0.85"/>` +
    `<path d="M0 78V56M0 40V24M0 12V2" stroke="${glow}" stroke-width="6" stroke-linecap="round"/>` +
    `<path d="M0 6C-34 -28 -40 -42 -40 -54A40 40 0 1 1 40 -54C40 -42 34 -28 0 6Z" fill="${accent}"/>` +
    `<circle cy="-54" r="15" fill="${text}"/>`
  );
}
