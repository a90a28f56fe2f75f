import { Group, Text } from '@mantine/core';
import { brand, isLogoWide } from '../lib/brand.ts';
import { BrandLogo } from '../ui/layout/brand-logo.tsx';

const HEIGHT_PX = 26;
const WIDTH_MAX_PX = 150;

/** The logo, with the name next to it. A wide logo stands alone, since it probably has the name in it. */
export function Logo() {
  return (
    <Group gap={8} wrap="nowrap">
      <BrandLogo height={HEIGHT_PX} maxWidth={WIDTH_MAX_PX} isNamed={isLogoWide} />
      {!isLogoWide && (
        <Text fw={700} size="lg" lh={1} truncate maw={WIDTH_MAX_PX}>
          {brand.name}
        </Text>
      )}
    </Group>
  );
}
