import {
  ActionIcon,
  Button,
  Checkbox,
  createTheme,
  Drawer,
  Input,
  Menu,
  Modal,
  Popover,
  Tooltip,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core'
import i18next from 'i18next'

/** Mantine wants ten shades; the scheme decides which token they are, so all are the same accent. */
const shades = (token: string): MantineColorsTuple =>
  Array.from({ length: 10 }, () => `var(${token})`) as unknown as MantineColorsTuple

/** Mantine set in the tokens of styles/tokens.css. Colours stand there and nowhere else. */
export const theme = createTheme({
  primaryColor: 'accent',
  colors: { accent: shades('--accent'), bad: shades('--bad'), ok: shades('--ok'), wait: shades('--wait') },
  fontFamily: 'var(--sans)',
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '13px', lg: '15px', xl: '20px' },
  lineHeights: { xs: '16px', sm: '20px', md: '20px', lg: '22px', xl: '28px' },
  defaultRadius: 6,
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({ defaultProps: { variant: 'default' }, classNames: { root: 'wb-button' } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: 'subtle', color: 'accent' } }),
    Input: Input.extend({ defaultProps: { size: 'sm' }, classNames: { input: 'wb-input' } }),
    InputWrapper: Input.Wrapper.extend({
      classNames: { label: 'wb-label', error: 'wb-error', description: 'wb-hint' },
    }),
    Checkbox: Checkbox.extend({ defaultProps: { size: 'xs' } }),
    Menu: Menu.extend({ defaultProps: { shadow: 'md', transitionProps: { duration: 120, transition: 'fade' } } }),
    Popover: Popover.extend({ defaultProps: { shadow: 'md', transitionProps: { duration: 120, transition: 'fade' } } }),
    Modal: Modal.extend({
      defaultProps: {
        transitionProps: { duration: 120, transition: 'fade' },
        centered: true,
        // Its `header` would be a second banner of the page.
        attributes: { header: { role: 'none' } },
        // Read when a dialog opens, in the language of that moment.
        closeButtonProps: {
          get 'aria-label'() {
            return i18next.t('texts:close')
          },
        },
      },
    }),
    Drawer: Drawer.extend({ defaultProps: { attributes: { header: { role: 'none' } } } }),
    Tooltip: Tooltip.extend({
      defaultProps: { events: { hover: true, focus: true, touch: true }, multiline: true, maw: 320, openDelay: 200 },
      classNames: { tooltip: 'wb-tooltip' },
    }),
  },
})

const both = {
  '--mantine-color-body': 'var(--paper)',
  '--mantine-color-text': 'var(--ink)',
  '--mantine-color-dimmed': 'var(--muted)',
  '--mantine-color-placeholder': 'var(--faint)',
  '--mantine-color-anchor': 'var(--accent)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--sunken)',
  '--mantine-color-default-color': 'var(--ink)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-error': 'var(--bad)',
  '--mantine-color-disabled': 'var(--sunken)',
  '--mantine-color-disabled-color': 'var(--muted)',
  '--mantine-color-disabled-border': 'var(--line-strong)',
  '--mantine-primary-color-contrast': 'var(--on-accent)',
  '--mantine-primary-color-filled': 'var(--accent)',
  '--mantine-primary-color-filled-hover': 'var(--accent)',
  '--mantine-color-accent-filled': 'var(--accent)',
  '--mantine-color-accent-filled-hover': 'var(--accent)',
  '--mantine-color-accent-light': 'var(--accent-soft)',
  '--mantine-color-accent-light-hover': 'var(--accent-soft)',
  '--mantine-color-accent-light-color': 'var(--accent)',
  '--mantine-color-accent-text': 'var(--accent)',
  '--mantine-shadow-md': 'var(--shadow)',
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: both, dark: both })
