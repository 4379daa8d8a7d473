import { useRouter } from '@tanstack/react-router'

interface RouterHistory {
  readonly push: (path: string) => void
  readonly replace: (path: string, state: undefined, options: { readonly ignoreBlocker: boolean }) => void
  readonly back: () => void
}

interface Ways {
  readonly push: (path: string) => void
  /** After a save or a removal: to what came of it. Nothing is asked about the form that did it. */
  readonly replace: (path: string) => void
  readonly back: () => void
}

/** Goes to a page that is named by a text: a path of the console with its query. */
export const useGo = (): Ways => {
  const { history } = useRouter() as { readonly history: RouterHistory }
  return {
    push: history.push,
    replace: (path) => history.replace(path, undefined, { ignoreBlocker: true }),
    back: history.back,
  }
}
