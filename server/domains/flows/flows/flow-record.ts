import { masked, maskedHeaders } from '#delivery/subscriber/mask.ts'
import type { FullFlow } from './flow.ts'
import type { FlowRecord } from './schemas.ts'

/** A flow as answers show it. No secret leaves the server, and no header that carries a credential. */
export const toRecord = (flow: FullFlow): FlowRecord => ({
  id: flow.id,
  name: flow.name,
  direction: flow.direction,
  ...(flow.direction === 'inbound' ? inboundPart(flow) : outboundPart(flow)),
  created_at: flow.createdAt.toISOString(),
  modified_at: flow.modifiedAt.toISOString(),
})

type Of<D extends FullFlow['direction']> = Extract<FullFlow, { direction: D }>

const inboundPart = ({ isActive }: Of<'inbound'>) => ({
  target: null,
  headers: {},
  secret: null,
  is_active: isActive,
  disabled_reason: null,
})

const outboundPart = ({ settings, disabledReason }: Of<'outbound'>) => ({
  target: settings.url,
  headers: maskedHeaders(settings.headers ?? {}),
  secret: masked(settings.secret),
  is_active: settings.isActive,
  disabled_reason: disabledReason,
})
