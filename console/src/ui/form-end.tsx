import { changesOf, type ChangingForm } from './changes.ts'
import { Action } from './action.tsx'
import { Unsaved } from './unsaved.tsx'

interface FormEndProps {
  readonly form: ChangingForm
  /** What the button that sends the form says. */
  readonly submit: string
  readonly loading: boolean
  /** Why it cannot be sent. */
  readonly off?: string | undefined
}

/** The end of a form on a page or in a drawer: the button that sends it, and the question before it is left. */
export const FormEnd = ({ form, submit, loading, off }: FormEndProps) => (
  <>
    <div>
      <Action main type="submit" off={off} loading={loading}>
        {submit}
      </Action>
    </div>
    <Unsaved changes={changesOf(form)} />
  </>
)
