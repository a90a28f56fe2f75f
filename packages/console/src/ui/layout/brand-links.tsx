import { Anchor, Group, type GroupProps } from '@mantine/core';
import { brand } from '../../lib/brand.ts';

/** Links to the terms and the privacy policy of the installation; nothing without them. */
export function BrandLinks(props: GroupProps) {
  const { termsUrl, privacyUrl } = brand;
  if (termsUrl === null && privacyUrl === null) return null;
  return (
    <Group component="footer" gap="md" {...props}>
      {termsUrl !== null && (
        <Anchor href={termsUrl} target="_blank" rel="noreferrer" size="xs" c="dimmed" underline="always">
          Terms
        </Anchor>
      )}
      {privacyUrl !== null && (
        <Anchor href={privacyUrl} target="_blank" rel="noreferrer" size="xs" c="dimmed" underline="always">
          Privacy
        </Anchor>
      )}
    </Group>
  );
}
