import { Type, type Static } from 'typebox'
import { makeRouteOptions } from '#platform/http/route-options.ts'
import { Body, CheckedElsewhere, httpPattern, NotBlank, Nullable, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { objectIdPattern } from '#platform/object-ids.ts'
import { pathIds, projectErrors } from '../schemas.ts'
import { projectStatuses } from './project.ts'
import { projectShape } from './project-shape.ts'
import { bodySchemaOf, recordSchemaOf } from './shape.ts'

export const route = makeRouteOptions('Projects', projectErrors)

const Name = NotBlank(100, { minLength: 2, description: 'Not only blanks.', examples: ['Waybill for drivers'] })
const Slug = Type.String({
  pattern: '^[a-z0-9-]{2,100}$',
  description: 'Unique in the organization.',
  examples: ['waybill-drivers'],
})
const Description = Type.String({ maxLength: 255 })
const Status = OneOf(projectStatuses, { description: 'draft where nothing else was said.' })
const AppIconUrl = Type.String({
  maxLength: 2_048,
  description: 'http or https. Left out where there is none.',
  examples: ['https://files.example.com/icon.png'],
})
const SentIconUrl = CheckedElsewhere(AppIconUrl, { format: 'uri', pattern: `${httpPattern}[0-9A-Za-z]` })
const ObjectId = Type.String({ pattern: objectIdPattern })

const { credential, additionalCredentials, storeCredentials, appStatuses } = projectShape

/** A project as it is answered (document 1, "Project"). The four objects are always there, empty where nothing is stored. */
export const ProjectRecord = Type.Object(
  {
    _id: ObjectId,
    name: Name,
    slug: Slug,
    description: Description,
    organization: ObjectId,
    credential: recordSchemaOf(credential),
    additionalCredentials: recordSchemaOf(additionalCredentials),
    storeCredentials: recordSchemaOf(storeCredentials),
    appStatuses: recordSchemaOf(appStatuses),
    status: Status,
    lastActivityAt: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'When something of it was distributed last; left out where nothing was.',
      }),
    ),
    appIconUrl: Type.Optional(CheckedElsewhere(AppIconUrl, { pattern: httpPattern })),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  {
    title: 'Project',
    description: 'An app of an organization, with the credentials and statuses that its releases need.',
  },
)
export type ProjectRecord = Static<typeof ProjectRecord>

const readOnly = ['_id', 'organization', 'lastActivityAt', 'createdAt', 'updatedAt']
const optional = {
  description: Type.Optional(Nullable(Description)),
  status: Type.Optional(Status),
  appIconUrl: Type.Optional(Nullable(SentIconUrl)),
  credential: Type.Optional(bodySchemaOf(credential)),
  additionalCredentials: Type.Optional(bodySchemaOf(additionalCredentials)),
  storeCredentials: Type.Optional(bodySchemaOf(storeCredentials)),
  appStatuses: Type.Optional(bodySchemaOf(appStatuses)),
}
export const NewProject = Body({ name: Name, slug: Slug, ...optional }, readOnly, {
  title: 'NewProject',
  description: 'A project to make.',
  examples: [{ name: 'Waybill for drivers', slug: 'waybill-drivers' }],
})
export const ProjectChanges = Body({ name: Type.Optional(Name), slug: Type.Optional(Slug), ...optional }, readOnly, {
  title: 'ProjectPatch',
  description: 'Changes of a project. What is left out of a nested object stays; null removes it.',
  examples: [
    {
      credential: {
        ios: {
          production: {
            provisioningProfile: 'https://files.example.com/drivers.mobileprovision',
            provisioningExpiration: '2027-03-01T12:00:00.000Z',
          },
        },
      },
    },
  ],
})
export type ProjectBody = Static<typeof ProjectChanges>

const { organizationId, projectId } = pathIds
export const OrganizationPath = Type.Object({ organizationId })
export const ProjectPath = Type.Object({ organizationId, projectId })
