import { Link as RouterLink } from '@tanstack/react-router'
import type { ComponentProps, ComponentType } from 'react'

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** A path of the console, with its query if it has one. */
  readonly to: string
  /** Whether the query of the present page stays, as when a drawer opens over a list. */
  readonly keepSearch?: boolean
}

/** A link to a page of the console. Paths are texts, because the API and letters name pages by them too. */
export const Link = ({ to, keepSearch = false, ...rest }: LinkProps) => {
  const { pathname, search } = new URL(to, 'http://page')
  const query = Object.fromEntries(new URLSearchParams(search))
  const Anchor = RouterLink as unknown as ComponentType<Record<string, unknown>>
  return <Anchor {...rest} to={pathname} search={keepSearch ? true : query} preload="intent" />
}
