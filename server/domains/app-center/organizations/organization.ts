import type { Role } from '../access/index.ts'

/** What a member can set. */
export interface OrganizationFields {
  readonly name: string
  readonly description: string
}

/** A group of people who share projects. */
export interface Organization extends OrganizationFields {
  readonly id: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Whether setting these fields would change anything. */
export const differs = (organization: Organization, { name, description }: OrganizationFields): boolean =>
  organization.name !== name || organization.description !== description

/** The organization as the API shows it to somebody with this role there. */
export const toWire = ({ id, name, description, createdAt, updatedAt }: Organization, role: Role) => ({
  _id: id,
  name,
  description,
  role,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
