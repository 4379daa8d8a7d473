import type { HookForm } from './hook-form.ts'

/** What each part of the form of a hook gets. */
export interface PartProps {
  readonly form: HookForm
  readonly change: (changed: Partial<HookForm>) => void
  /** What the server said of its fields. */
  readonly errors: Readonly<Record<string, string>>
}

/** What the server said of a field, or of something within it. */
export const errorOf = (errors: PartProps['errors'], field: string): string | undefined => {
  const words = Object.entries(errors).flatMap(([name, text]) =>
    name === field || name.startsWith(`${field}.`) ? [text] : [],
  )
  return words.length === 0 ? undefined : words.join(' ')
}
