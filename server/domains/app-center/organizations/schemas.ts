import { Type } from 'typebox'
import { objectIdPattern } from '#platform/object-ids.ts'
import { Body, Id, NotBlank, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { roles } from '../access/index.ts'
import { pathIds } from '../schemas.ts'

const Name = NotBlank(100, { minLength: 2, description: 'Not only blanks.', examples: ['Waybill mobile'] })
const Description = Type.String({ maxLength: 255 })
const Role = OneOf(roles, { description: 'Each role has all the rights of those after it.' })

export const OrganizationRecord = Type.Object(
  {
    _id: Type.String({ pattern: objectIdPattern }),
    name: Name,
    description: Description,
    role: OneOf(roles, { description: 'Of the caller.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Organization', description: 'People who build apps together.' },
)
const readOnly = ['_id', 'role', 'createdAt', 'updatedAt']

export const NewOrganization = Body({ name: Name, description: Type.Optional(Description) }, readOnly, {
  title: 'NewOrganization',
  description: 'An organization to make; the caller becomes its owner.',
  examples: [{ name: 'Waybill mobile' }],
})
export const OrganizationChanges = Body(
  { name: Type.Optional(Name), description: Type.Optional(Description) },
  readOnly,
  {
    title: 'OrganizationPatch',
    description: 'Changes of an organization.',
    examples: [{ name: 'Waybill mobile' }],
  },
)

export const MemberRecord = Type.Object(
  {
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Role,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Member', description: 'Somebody of an organization, and their role.' },
)
const memberReadOnly = ['userId', 'firstName', 'lastName', 'createdAt', 'updatedAt']

export const NewMember = Body(
  {
    email: Type.String({ format: 'email', maxLength: 254, description: 'Of somebody who can log in.' }),
    role: Role,
  },
  memberReadOnly,
  {
    title: 'NewMember',
    description: 'Somebody to add to an organization.',
    examples: [{ email: 'ayse@example.com', role: 'developer' }],
  },
)
export const MemberChanges = Body({ role: Type.Optional(Role) }, ['email', ...memberReadOnly], {
  title: 'MemberPatch',
  description: 'Another role for a member.',
  examples: [{ role: 'developer' }],
})

const { organizationId, userId } = pathIds
export const OrganizationParams = Type.Object({ organizationId })
export const MemberParams = Type.Object({ organizationId, userId })
