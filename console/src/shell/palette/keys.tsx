import classes from './palette.module.css'

/** Keys that are pressed one after the other. */
export const Keys = ({ keys }: { readonly keys: string }) => (
  <span className={classes['keys']}>
    {keys.split(' ').map((key, index) => (
      <kbd key={`${index} ${key}`}>{key === 'Escape' ? 'Esc' : key}</kbd>
    ))}
  </span>
)
