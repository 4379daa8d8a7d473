import { useId, type ComponentProps } from 'react'
import classes from './parts.module.css'

interface About {
  readonly label: string
  readonly hint?: string
  readonly error?: string | undefined
}

const useAbout = ({ hint, error }: About) => {
  const id = useId()
  const told = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean).join(' ')
  return {
    id,
    field: {
      id,
      className: classes['input'],
      'aria-invalid': error !== undefined || undefined,
      ...(told !== '' && { 'aria-describedby': told }),
    },
  }
}

const Told = ({ id, hint, error }: Omit<About, 'label'> & { readonly id: string }) => (
  <>
    {hint !== undefined && (
      <p id={`${id}-hint`} className="small muted">
        {hint}
      </p>
    )}
    {error !== undefined && (
      <p id={`${id}-error`} className="small text-bad" role="alert">
        {error}
      </p>
    )}
  </>
)

/** A field with its label, and what is wrong with it. */
export const Field = ({ label, hint, error, ...rest }: About & Omit<ComponentProps<'input'>, 'id' | 'className'>) => {
  const { id, field } = useAbout({ label, ...(hint !== undefined && { hint }), error })
  return (
    <div className={classes['field']}>
      <label htmlFor={id}>{label}</label>
      <input {...rest} {...field} />
      <Told id={id} {...(hint !== undefined && { hint })} error={error} />
    </div>
  )
}

/** The same for more than a line. */
export const TextField = ({
  label,
  hint,
  error,
  ...rest
}: About & Omit<ComponentProps<'textarea'>, 'id' | 'className'>) => {
  const { id, field } = useAbout({ label, ...(hint !== undefined && { hint }), error })
  return (
    <div className={classes['field']}>
      <label htmlFor={id}>{label}</label>
      <textarea {...rest} {...field} />
      <Told id={id} {...(hint !== undefined && { hint })} error={error} />
    </div>
  )
}

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'id' | 'className' | 'onChange'> {
  readonly label: string
  readonly options: readonly (readonly [value: string, words: string])[]
  readonly onChoose: (value: string) => void
}

/** One of several. */
export const Choice = ({ label, options, onChoose, ...rest }: ChoiceProps) => {
  const id = useId()
  return (
    <div className={classes['field']}>
      <label htmlFor={id}>{label}</label>
      <select {...rest} id={id} className={classes['input']} onChange={({ target }) => onChoose(target.value)}>
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </div>
  )
}
