import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from '@mantine/core';
import { brand } from '../lib/brand.ts';

const productAccent: MantineColorsTuple = [
  '#eef4ff',
  '#dbe6fd',
  '#b4cbf8',
  '#8aaef4',
  '#6795f0',
  '#5186ee',
  '#2f6feb',
  '#2560d6',
  '#1c53bd',
  '#0c47a5',
];

// The server makes ten shades of the brand's colour, with enough contrast in both schemes.
const accent = (brand.palette as MantineColorsTuple | null) ?? productAccent;

/** Mantine theme: one accent colour, dense controls, contrast as in WCAG 2.2 AA. */
export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: { light: 7, dark: 7 },
  colors: { accent },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, monospace',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: '600' },
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Otherwise a dialog is first drawn next to its final position, and a click can miss its buttons.
  respectReducedMotion: true,
  components: {
    // The colour of an alert has too little contrast on its own background for its title.
    Alert: { styles: { title: { color: 'var(--mantine-color-text)' } } },
    // The initials of people and apps: the other colours have too little contrast on their own light background.
    Avatar: {
      defaultProps: { allowedInitialsColors: ['blue', 'cyan', 'grape', 'indigo', 'pink', 'violet'] },
    },
    Badge: { defaultProps: { tt: 'none' } },
    Button: { defaultProps: { size: 'sm' } },
    // Their arrows are as high as the least size of a target twice over, and stick out of the field; the arrow keys count too.
    NumberInput: { defaultProps: { hideControls: true } },
    TextInput: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm', checkIconPosition: 'right' } },
    MultiSelect: { defaultProps: { size: 'sm' } },
    // The placeholder element is not an allowed child of a menu in ARIA.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
  },
});

const ofDarkFill = (percent: number, other: string) =>
  `color-mix(in srgb, var(--mantine-color-accent-6) ${percent}%, ${other})`;

/** Buttons and chosen rows in the dark scheme: a brand's colour may be so dark that they could not be seen. */
const brandedFill: Record<string, string> = brand.palette
  ? {
      '--mantine-color-accent-filled': 'var(--mantine-color-accent-6)',
      '--mantine-color-accent-filled-hover': ofDarkFill(88, 'black'),
      '--mantine-color-accent-light': ofDarkFill(25, 'var(--mantine-color-body)'),
      '--mantine-color-accent-light-hover': ofDarkFill(35, 'var(--mantine-color-body)'),
    }
  : {};

/** Colours of secondary text, hints and errors, with enough contrast in both colour schemes (WCAG 2.2 AA, 1.4.3). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#59626d',
    '--mantine-color-placeholder': '#6a737e',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a6adb8',
    '--mantine-color-placeholder': '#8f97a3',
    '--mantine-color-error': '#ff8787',
    ...brandedFill,
  },
});
