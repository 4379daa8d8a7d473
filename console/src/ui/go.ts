import { useRouter } from '@tanstack/react-router'

interface History {
  readonly push: (path: string) => void
  readonly replace: (path: string) => void
  readonly back: () => void
}

/** Goes to a page that is named by a text: a path of the console with its query. */
export const useGo = (): History => {
  const { history } = useRouter() as { readonly history: History }
  return history
}
