import { Button, Tooltip, type ButtonProps } from '@mantine/core'
import type { ComponentProps, MouseEventHandler, ReactNode } from 'react'

interface ActionProps
  extends
    Pick<ButtonProps, 'loading' | 'variant' | 'fullWidth'>,
    Omit<ComponentProps<'button'>, 'children' | 'disabled' | 'color' | 'style' | 'type' | 'onClick'> {
  readonly children: ReactNode
  /** Why it is not allowed now and who may; the button then stays where it is and says this on hover, focus and tap. */
  readonly off?: string | undefined
  /** The one next thing to do on the page. */
  readonly main?: boolean
  readonly type?: 'button' | 'submit'
  readonly onClick?: MouseEventHandler<HTMLButtonElement>
  /** The key that does the same, shown to assistive technology. */
  readonly keyShortcut?: string
}

/** A button. One that is not allowed can still be focused, so that its reason can be read. It can be what opens a menu. */
export const Action = ({
  children,
  off,
  main = false,
  type = 'button',
  onClick,
  keyShortcut,
  ...rest
}: ActionProps) => {
  const isOff = off !== undefined
  // A button that waits stays one that can have the focus; of a form it is off, so that Enter sends once.
  const isWaiting = rest.loading === true
  const keepsFocus = type === 'button' && { renderRoot: focusable }
  return (
    <Tooltip label={off} disabled={!isOff}>
      <Button
        {...rest}
        {...keepsFocus}
        variant={main && !isOff ? 'filled' : (rest.variant ?? 'default')}
        type={isOff ? 'button' : type}
        aria-disabled={isOff || isWaiting}
        aria-keyshortcuts={keyShortcut}
        data-off={isOff || undefined}
        onClick={isOff || isWaiting ? undefined : onClick}
      >
        {children}
      </Button>
    </Tooltip>
  )
}

/** The button of the library without `disabled`, which would take the focus away. */
const focusable = ({ disabled: _disabled, ...props }: ComponentProps<'button'>) => <button {...props} />
