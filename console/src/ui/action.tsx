import { Button, Tooltip, type ButtonProps } from '@mantine/core'
import type { MouseEventHandler, ReactNode } from 'react'

interface ActionProps extends Pick<ButtonProps, 'loading' | 'variant' | 'fullWidth'> {
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

/** A button. One that is not allowed can still be focused, so that its reason can be read. */
export const Action = ({
  children,
  off,
  main = false,
  type = 'button',
  onClick,
  keyShortcut,
  ...rest
}: ActionProps) => {
  const button = (
    <Button
      variant={main && off === undefined ? 'filled' : (rest.variant ?? 'default')}
      type={off === undefined ? type : 'button'}
      aria-disabled={off !== undefined}
      aria-keyshortcuts={keyShortcut}
      data-off={off !== undefined || undefined}
      onClick={off === undefined ? onClick : undefined}
      loading={rest.loading ?? false}
      fullWidth={rest.fullWidth ?? false}
    >
      {children}
    </Button>
  )
  return off === undefined ? button : <Tooltip label={off}>{button}</Tooltip>
}
