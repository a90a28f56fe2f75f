import { brand, brandLogo } from '../../lib/brand.ts';

/** The logo at a height in pixels; wide ones take up to `maxWidth`. `isNamed` where the name is not next to it. */
export function BrandLogo({
  height,
  maxWidth,
  isNamed,
}: {
  height: number;
  maxWidth: number;
  isNamed: boolean;
}) {
  const width = Math.min(maxWidth, Math.round((brandLogo.width / brandLogo.height) * height));
  return (
    <img
      src={brandLogo.url}
      width={width}
      height={height}
      alt={isNamed ? brand.name : ''}
      style={{ objectFit: 'contain' }}
    />
  );
}
