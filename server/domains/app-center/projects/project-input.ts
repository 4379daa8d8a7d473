import { collectProblems } from '#platform/problems.ts'
import type { ProjectFields } from './project.ts'
import { wholeShape } from './project-shape.ts'
import { readPatch } from './read-patch.ts'
import type { ProjectBody } from './schemas.ts'
import type { Patch } from './shape.ts'

/** What a body asks for; fields that it does not name are not there. Secrets may still have the mask. */
export interface ProjectInput extends Partial<ProjectFields> {
  /** Of the nested objects, to be merged into what is stored. */
  readonly objects: Patch
}
export type NewProjectInput = ProjectInput & Pick<ProjectFields, 'name' | 'slug'>

/**
 * Reads a body that its schema has passed.
 * @throws AppError 400 that names every field that is wrong.
 */
export const readProjectInput = (body: ProjectBody): ProjectInput => {
  const { name, slug, description, status, appIconUrl } = body
  const problems = collectProblems()
  if (name?.trim() === '') problems.add('name', 'This field may not be blank.')
  if (typeof appIconUrl === 'string') problems.add('appIconUrl', iconProblem(appIconUrl))
  const objects = readPatch(wholeShape, sentObjects(body), '', problems)
  problems.throwIfAny()
  return {
    ...(name === undefined ? {} : { name }),
    ...(slug === undefined ? {} : { slug }),
    ...(description === undefined ? {} : { description: description ?? '' }),
    ...(status === undefined ? {} : { status }),
    ...(appIconUrl === undefined ? {} : { appIconUrl }),
    objects,
  }
}

/** The same for a body that has to have a name and a slug. */
export const readNewProjectInput = (body: ProjectBody & Pick<ProjectFields, 'name' | 'slug'>): NewProjectInput => ({
  ...readProjectInput(body),
  name: body.name,
  slug: body.slug,
})

const sentObjects = (body: ProjectBody): Patch =>
  Object.fromEntries(
    (['credential', 'additionalCredentials', 'storeCredentials', 'appStatuses'] as const).flatMap((name) => {
      const value = body[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

const iconProblem = (text: string): string | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? undefined : 'Expected an http or https URL.'
