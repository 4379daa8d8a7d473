import { isDeepStrictEqual } from 'node:util'
import type { Vault } from '#platform/crypto/vault.ts'
import type { Clock } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { invalidField, orNotFound } from '#platform/errors.ts'
import { newObjectId } from '#platform/object-ids.ts'
import { collectProblems } from '#platform/problems.ts'
import { sentFields } from '#platform/sent-fields.ts'
import type { Member } from '../access/index.ts'
import { mergeTree, readPatch } from './merge.ts'
import type { Project, ProjectFields } from './project.ts'
import { noObjects, wholeShape, type ProjectObjects } from './project-shape.ts'
import type { ProjectBody } from './schemas.ts'
import type { Patch } from './shape.ts'
import { insertProject, lockProject, updateProject } from './store.ts'

/** Of the nested objects together: a page of a list has up to a thousand projects. */
export const maxBytes = 65_536

const bytesOf = (objects: object): number => Buffer.byteLength(JSON.stringify(objects))

const slugTaken = () => invalidField('slug', 'Another project of the organization has this slug.')

/** How projects are made and changed. Each function does its work in the transaction it is given. */
export const makeProjectChanges = ({ clock, vault }: { readonly clock: Clock; readonly vault: Vault }) => ({
  /** @throws AppError 400 for a slug that is taken, and for a mask where there is no secret yet. */
  async create(tx: Tx, { organizationId }: Member, { objects, ...fields }: ProjectInput & Named): Promise<Project> {
    const now = clock.now()
    const project: Project = {
      id: newObjectId(now),
      organizationId,
      description: '',
      status: 'draft',
      appIconUrl: null,
      ...fields,
      ...mergeObjects(noObjects, objects),
      lastActivityAt: null,
      createdAt: now,
      updatedAt: now,
    }
    if (!(await insertProject(tx, vault, project))) throw slugTaken()
    return project
  },

  /**
   * Changes what was named, in the row as it is now: of two changes at once the second sees the first. Where
   * nothing really changes, nothing is written.
   * @throws AppError 404; 400 for a slug that is taken, and for a mask where no secret is stored.
   */
  async update(tx: Tx, { projectId }: Member, { objects, ...fields }: ProjectInput): Promise<Project> {
    const before = orNotFound(await lockProject(tx, vault, projectId))
    const after: Project = { ...before, ...fields, ...mergeObjects(before, objects) }
    if (isDeepStrictEqual(after, before)) return before
    const project = { ...after, updatedAt: clock.now() }
    if (!(await updateProject(tx, vault, project))) throw slugTaken()
    return project
  },
})

/** @throws AppError 400 that names each secret that is not there to be kept. */
const mergeObjects = (stored: ProjectObjects, sent: Patch): ProjectObjects => {
  const { credential, additionalCredentials, storeCredentials, appStatuses } = stored
  const problems = collectProblems()
  const objects = { credential, additionalCredentials, storeCredentials, appStatuses }
  const merged = mergeTree(wholeShape, objects, sent, { path: '', problems })
  const bytes = bytesOf(merged)
  // What distributions have added since does not keep anything else from being changed.
  if (bytes > maxBytes && bytes > bytesOf(objects))
    problems.add(
      'non_field_errors',
      `The credentials and app statuses of a project take at most ${maxBytes} bytes as JSON; these take ${bytes}.`,
    )
  problems.throwIfAny()
  return { ...noObjects, ...merged }
}

/** What a body asks for; fields that it does not name are not there. Secrets may still have the mask. */
interface ProjectInput extends Partial<ProjectFields> {
  /** Of the nested objects, to be merged into what is stored. */
  readonly objects: Patch
}
type Named = Pick<ProjectFields, 'name' | 'slug'>

/**
 * Reads a body that its schema has passed.
 * @throws AppError 400 that names every field that is wrong.
 */
export const readProjectInput = (body: ProjectBody): ProjectInput => {
  const { name, slug, description, status, appIconUrl } = body
  const { credential, additionalCredentials, storeCredentials, appStatuses } = body
  const problems = collectProblems()
  if (typeof appIconUrl === 'string') problems.add('appIconUrl', iconProblem(appIconUrl))
  const sent = sentFields({ credential, additionalCredentials, storeCredentials, appStatuses }) as Patch
  const objects = readPatch(wholeShape, sent, { path: '', problems })
  problems.throwIfAny()
  return {
    ...sentFields({ name, slug, description: description === null ? '' : description, status, appIconUrl }),
    objects,
  }
}

const iconProblem = (text: string): string | undefined =>
  /^https?:\/\//i.test(text) && URL.canParse(text) ? undefined : 'Expected an http or https URL.'
