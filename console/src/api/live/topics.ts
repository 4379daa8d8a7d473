/** Who a delivery goes to. */
type Receiver =
  | { readonly kind: 'hook'; readonly id: number }
  | { readonly kind: 'project_webhook'; readonly id: string; readonly project: string; readonly organization: string }
  | { readonly kind: 'flow'; readonly id: string }

interface About {
  readonly object_type: string | null
  readonly object_id: number | string | null
}

/** What the stream says of each topic: docs/live-changes.md. Messages are no bodies, so the API description has no schema of them. */
export interface LiveItems {
  readonly delivery: About & {
    readonly id: number | string
    readonly receiver: Receiver
    readonly event_type: string
    readonly status: string
    readonly attempt: number
    readonly http_status: number | null
    readonly reason: string | null
    readonly duration_ms: number | null
    readonly time: string
  }
  readonly event: About & {
    readonly id: number
    readonly type: string
    readonly project: string | null
    readonly time: string
  }
  readonly subscription: {
    readonly receiver: Receiver
    readonly health: string
    readonly is_active: boolean
    readonly disabled_reason: string | null
    readonly is_removed: boolean
  }
  readonly error_report: {
    readonly group: number
    readonly state: string
    readonly count: number
    readonly open_count: number
    readonly assignee: number | null
    readonly last_seen: string
  }
  readonly redelivery: {
    readonly id: number
    readonly kind: string
    readonly hook: number
    readonly status: string
    readonly queued: number
    readonly total: number | null
  }
  readonly export: {
    readonly status_cache_key: string
    readonly quotation: number | null
    readonly format: string
    readonly status: string
    readonly rows_done: number
    readonly rows_total: number | null
  }
  readonly quotation: {
    readonly id: number
    readonly status: string
    readonly version: number
    readonly revision: number
  }
  readonly order: { readonly id: number; readonly quotation: number; readonly status: string }
  readonly mail: { readonly id: number; readonly purpose: string; readonly status: string }
}

export type Topic = keyof LiveItems

/** What a message of a topic brings; `isCut` says that more changed at once than it has. */
export interface LiveMessage<T extends Topic> {
  readonly items: readonly LiveItems[T][]
  readonly isCut: boolean
}
