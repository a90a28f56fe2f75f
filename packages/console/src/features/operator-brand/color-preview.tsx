import {
  CONTRAST_MIN,
  HEX_COLOR,
  darkContrast,
  lightContrast,
  paletteOf,
  readableOnLight,
} from '@bidwell/contract/branding/color';
import { Group, Text } from '@mantine/core';
import classes from './brand.module.css';

/** A button and a link in the colours of both schemes, with their contrast; nothing while the colour is incomplete. */
export function ColorPreview({ accent, accentDark }: { accent: string; accentDark: string }) {
  if (!HEX_COLOR.test(accent)) return null;
  const dark = HEX_COLOR.test(accentDark) ? accentDark : null;
  // As they would be used: what cannot be read is refused, with a colour that can.
  const base = lightContrast(accent) < CONTRAST_MIN ? readableOnLight(accent) : accent;
  const shades = paletteOf({ accent: base, accent_dark: dark });
  const schemes = [
    {
      name: 'Light',
      box: classes['light'],
      button: accent,
      link: accent,
      contrast: lightContrast(accent),
    },
    {
      name: 'Dark',
      box: classes['dark'],
      button: shades[6],
      link: shades[4],
      contrast: darkContrast(shades[4]!, base),
    },
  ];
  return (
    <Group aria-label="Preview of the colours" role="group" align="stretch">
      {schemes.map(({ name, box, button, link, contrast }) => (
        <div key={name} className={box}>
          <Group gap="sm">
            <span className={classes['button']} style={{ background: button }}>
              Button
            </span>
            <span style={{ color: link, textDecoration: 'underline' }}>Link</span>
          </Group>
          <Text size="xs" mt="xs">
            {name}: contrast {(Math.floor(contrast * 10) / 10).toFixed(1)}:1
          </Text>
        </div>
      ))}
    </Group>
  );
}
