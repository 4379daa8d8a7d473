import { useTranslation } from 'react-i18next'
import { Link } from '#ui/link.tsx'
import classes from './whose.module.css'

/** The router marks a link as that of the page only where all of its query is the same. */
const exactly = { activeOptions: { exact: true } }

interface WhoseProps {
  readonly path: string
  readonly scope: 'tree' | undefined
  /** What is chosen, for whoever does not see what stands below. */
  readonly name: string
}

/** The own ones of a buyer of a main division, or those of all branches. */
export const Whose = ({ path, scope, name }: WhoseProps) => {
  const { t } = useTranslation('shop')
  return (
    <nav aria-label={name} className={classes['whose']}>
      {([undefined, 'tree'] as const).map((one) => (
        <Link
          {...exactly}
          key={one ?? 'own'}
          to={one === undefined ? path : `${path}?scope=${one}`}
          aria-current={one === scope ? 'page' : undefined}
        >
          {t(one === undefined ? 'quotations.own' : 'quotations.company')}
        </Link>
      ))}
    </nav>
  )
}
