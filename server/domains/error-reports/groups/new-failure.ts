/** What decides about the group of a new report. */
export interface NewFailure {
  readonly channelId: number | null
  readonly actionContentType: number
  readonly errorCode: string
  readonly errorDesc: string
  /** As it is stored: masked and cut. */
  readonly rawResponse: string | null
  readonly objModifiedDate: Date
  /** Created resolved: a log of success, which has no group. */
  readonly isOk: boolean
  readonly createdAt: Date
}
