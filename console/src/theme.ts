import { Anchor, createTheme, type MantineColorsTuple, type MantineThemeOverride } from '@mantine/core'

const shades = (text: string) => text.split(' ') as unknown as MantineColorsTuple

/** The one accent: verdigris, the green colour of old copper. */
const verdigris = shades('#eaf6f4 #d3eae6 #a8d5ce #7bc0b6 #57ada1 #3d9a8e #26857a #146f66 #0b5d57 #064843')

/** Warm greys, light to dark, so that surfaces look like paper and not like glass. */
const stone = shades('#f6f4ee #ebe8e0 #d9d5ca #bfbab0 #98948b #716e67 #575550 #3d3c39 #292a28 #1b1d1c')

const dark = shades('#e4e8e5 #c3cac6 #a0aaa5 #79847f #3b4542 #2c3532 #222a28 #191f1d #111615 #0b0f0e')

const TITLED = {
  styles: { title: { fontFamily: 'var(--mantine-font-family-headings)', fontSize: '1.25rem', fontWeight: 600 } },
  closeButtonProps: { 'aria-label': 'Close' },
}

export const theme: MantineThemeOverride = createTheme({
  colors: { verdigris, stone, dark, gray: stone },
  primaryColor: 'verdigris',
  // Both fills have white labels with a contrast over 5:1; lines and links use --assay-accent (theme.css).
  primaryShade: { light: 8, dark: 7 },
  black: '#1b1d1c',
  defaultRadius: 'sm',
  cursorType: 'pointer',
  // Small print of 13 px reads better than the library's 12.
  fontSizes: { xs: '0.8125rem' },
  components: {
    // A link in a line of text must be recognisable by more than its colour.
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // By name: a page without a dialog does not load the dialog code.
    Modal: { defaultProps: { centered: true, ...TITLED } },
    Drawer: { defaultProps: TITLED },
    Divider: { defaultProps: { color: 'var(--assay-line)' } },
    PasswordInput: {
      defaultProps: { visibilityToggleButtonProps: { 'aria-label': 'Show or hide the password', tabIndex: 0 } },
    },
  },
  respectReducedMotion: true,
  fontFamily: "ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SF Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace",
  headings: {
    fontFamily:
      "'Iowan Old Style', 'Palatino Linotype', Palatino, 'URW Palladio L', P052, 'Book Antiqua', Georgia, serif",
    fontWeight: '600',
    textWrap: 'balance',
  },
})
