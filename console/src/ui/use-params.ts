import { useParams } from '@tanstack/react-router'

/** A parameter of the path that the screen's route has. */
export const useParam = (name: string): string => {
  const params: Readonly<Record<string, string | undefined>> = useParams({ strict: false })
  const value = params[name]
  if (value === undefined) throw new Error(`The path has no ${name}.`)
  return value
}

/** A numeric id of the path; NaN when it is no number, which the API answers with 400. */
export const useIdParam = (name = 'id'): number => Number(useParam(name))
