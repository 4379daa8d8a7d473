import { CopyText } from '#ui/copy.tsx'
import classes from './hook.module.css'

/** A secret or key as a whole, with a button that copies it. */
export const ShownSecret = ({ secret }: { readonly secret: string }) => (
  <div className={classes['secret']}>
    <code>{secret}</code>
    <CopyText text={secret} />
  </div>
)
