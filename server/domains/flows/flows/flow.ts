export const directions = ['inbound', 'outbound'] as const
export type Direction = (typeof directions)[number]

interface About {
  readonly id: number
  readonly name: string
  readonly createdAt: Date
  readonly modifiedAt: Date
}

/** A flow that data comes in by. Nothing is sent through it, so it has a name and a switch. */
export interface InboundFlow extends About {
  readonly direction: 'inbound'
  readonly isActive: boolean
}

/** A flow that data goes out through, to its target. */
export interface OutboundFlow extends About {
  readonly direction: 'outbound'
  /** The engine's part of it. */
  readonly subscriptionId: number
}

export type Flow = InboundFlow | OutboundFlow

/** Why the engine has switched a flow's target off; null when it has not. */
export type DisabledReason = 'failing' | 'gone' | null

/** The scope of a flow's subscription: no event has it, so nothing but what is sent through the flow gets there. */
export const scopeOf = (flowId: number): string => `flow:${flowId}`

export const isFlowScope = (scope: string): boolean => scope.startsWith('flow:')
