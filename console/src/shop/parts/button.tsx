import { useId, type ComponentProps, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import classes from './parts.module.css'

type Kind = 'main' | 'plain' | 'bad'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'type'> {
  readonly children: ReactNode
  readonly kind?: Kind
  /** Why it is not allowed now and who may: the button stays where it is, and says this below. */
  readonly off?: string | undefined
  readonly isBusy?: boolean
  readonly isWide?: boolean
  readonly type?: 'button' | 'submit'
}

/** A button. One that is not allowed, or at it already, can still have the focus. */
export const Button = ({ off, ...rest }: ButtonProps) => {
  const reason = useId()
  if (off === undefined) return <Plain {...rest} />
  return (
    <span className={classes['off']}>
      <Plain {...rest} isOff aria-describedby={reason} />
      <span id={reason} className="small muted">
        {off}
      </span>
    </span>
  )
}

interface PlainProps extends Omit<ButtonProps, 'off'> {
  readonly isOff?: boolean
}

const Plain = ({ children, kind, isOff = false, isBusy = false, isWide, type = 'button', ...rest }: PlainProps) => {
  const { t } = useTranslation('shop')
  const isStill = isOff || isBusy
  return (
    <button
      {...rest}
      // A form is not sent twice: Enter would press it.
      type={isStill ? 'button' : type}
      className={classes['button']}
      data-kind={kind}
      data-wide={isWide || undefined}
      data-off={isOff || undefined}
      aria-disabled={isStill || undefined}
      onClick={isStill ? undefined : rest.onClick}
    >
      {isBusy ? t('busy') : children}
    </button>
  )
}

interface ButtonLinkProps {
  readonly to: string
  readonly kind?: Kind
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A link that looks like a button: the next thing to do is on another page. */
export const ButtonLink = ({ to, kind, isWide, children }: ButtonLinkProps) => (
  <Link to={to} className={classes['button']} data-kind={kind} data-wide={isWide || undefined}>
    {children}
  </Link>
)
