import { Type } from 'typebox'
import { objectIdPattern } from '#platform/object-ids.ts'
import { Body, Id, OneOf, Timestamp } from '#platform/http/schemas.ts'
import { roles } from '../access/index.ts'
import { projectErrors } from '../error-responses.ts'
import { pathIds } from '../path-ids.ts'
import { memberList } from './members-store.ts'
import { organizationList } from './store.ts'

const Name = Type.String({
  minLength: 2,
  maxLength: 100,
  description: 'Not only blanks.',
  examples: ['Waybill mobile'],
})
const Description = Type.String({ maxLength: 255 })
const Role = OneOf(roles, { description: 'Each role has all the rights of those after it.' })

const OrganizationRecord = Type.Object(
  {
    _id: Type.String({ pattern: objectIdPattern }),
    name: Name,
    description: Description,
    role: OneOf(roles, { description: 'Of the caller.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Organization' },
)
const readOnly = ['_id', 'role', 'createdAt', 'updatedAt']

const NewOrganization = Body({ name: Name, description: Type.Optional(Description) }, readOnly, {
  title: 'NewOrganization',
  examples: [{ name: 'Waybill mobile' }],
})
const OrganizationChanges = Body({ name: Type.Optional(Name), description: Type.Optional(Description) }, readOnly, {
  title: 'OrganizationPatch',
  examples: [{ name: 'Waybill mobile' }],
})

const MemberRecord = Type.Object(
  {
    userId: Id,
    email: Type.String(),
    firstName: Type.String(),
    lastName: Type.String(),
    role: Role,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'Member' },
)
const memberReadOnly = ['userId', 'firstName', 'lastName', 'createdAt', 'updatedAt']

const NewMember = Body(
  {
    email: Type.String({ format: 'email', maxLength: 254, description: 'Of somebody who can log in.' }),
    role: Role,
  },
  memberReadOnly,
  { title: 'NewMember', examples: [{ email: 'ayse@example.com', role: 'developer' }] },
)
const MemberChanges = Body({ role: Type.Optional(Role) }, ['email', ...memberReadOnly], {
  title: 'MemberPatch',
  examples: [{ role: 'developer' }],
})

const { organizationId, userId } = pathIds
const OrganizationParams = Type.Object({ organizationId })
const MemberParams = Type.Object({ organizationId, userId })

const organizations = { tags: ['Organizations'] }
const oneOrganization = {
  ...organizations,
  params: OrganizationParams,
  response: { 200: OrganizationRecord, ...projectErrors },
}
export const listOrganizationsSchema = {
  ...organizations,
  summary: 'List the organizations of the caller',
  description: 'Superusers see all of them.',
  operationId: 'listOrganizations',
  querystring: organizationList.querystring,
  response: { 200: Type.Array(OrganizationRecord), ...projectErrors },
}
export const createOrganizationSchema = {
  ...organizations,
  summary: 'Create an organization',
  description: 'Whoever makes it becomes its owner. Buyers cannot.',
  operationId: 'createOrganization',
  body: NewOrganization,
  response: { 201: OrganizationRecord, ...projectErrors },
}
export const getOrganizationSchema = {
  ...oneOrganization,
  summary: 'Read an organization',
  operationId: 'getOrganization',
}
export const updateOrganizationSchema = {
  ...oneOrganization,
  summary: 'Change an organization',
  operationId: 'updateOrganization',
  body: OrganizationChanges,
}
export const deleteOrganizationSchema = {
  ...oneOrganization,
  summary: 'Delete an organization with everything in it',
  description: 'Its webhooks end at once: what was still to be delivered to them is cancelled.',
  operationId: 'deleteOrganization',
  response: { 204: Type.Null(), ...projectErrors },
}

const members = { tags: ['Organization members'], params: OrganizationParams }
const oneMember = { ...members, params: MemberParams, response: { 200: MemberRecord, ...projectErrors } }
export const listMembersSchema = {
  ...members,
  summary: 'List the members of an organization',
  operationId: 'listMembers',
  querystring: memberList.querystring,
  response: { 200: Type.Array(MemberRecord), ...projectErrors },
}
export const addMemberSchema = {
  ...members,
  summary: 'Add a member',
  description: 'Only an owner makes owners.',
  operationId: 'addMember',
  body: NewMember,
  response: { 201: MemberRecord, ...projectErrors },
}
export const getMemberSchema = { ...oneMember, summary: 'Read a member', operationId: 'getMember' }
export const updateMemberSchema = {
  ...oneMember,
  summary: 'Change the role of a member',
  description: 'It counts from the next request on. Only an owner changes owners; the last owner stays one.',
  operationId: 'updateMember',
  body: MemberChanges,
}
export const removeMemberSchema = {
  ...oneMember,
  summary: 'Remove a member, or leave',
  description: 'Anybody may leave, but the last owner. Removing others takes an admin, and removing owners an owner.',
  operationId: 'removeMember',
  response: { 204: Type.Null(), ...projectErrors },
}
