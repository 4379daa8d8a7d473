import { hideNotification, showNotification } from '@mantine/notifications'
import i18next from 'i18next'
import { ApiError } from '#api/api-error.ts'
import { Action } from './action.tsx'

const undoMs = 10_000

/** Says that something was done, and for ten seconds offers to take it back. @returns how to take it off the screen */
export const toastDone = (text: string, undo?: () => void): (() => void) => {
  const id = showNotification({
    message: (
      <div className="flex between">
        <span className="grow">{text}</span>
        {undo !== undefined && (
          // However long the text is, it is the text that gives way.
          <div style={{ flex: 'none' }}>
            <Action
              variant="subtle"
              onClick={() => {
                hideNotification(id)
                undo()
              }}
            >
              {i18next.t('texts:undo')}
            </Action>
          </div>
        )}
      </div>
    ),
    autoClose: undo === undefined ? 4_000 : undoMs,
    withBorder: true,
  })
  return () => void hideNotification(id)
}

/** Says that something could not be done, why, and what to find it by. It stays until it is closed. */
export const toastFailed = (error: unknown): void => {
  const facts = error instanceof ApiError ? error : undefined
  // The login that opens over the page says it.
  if (facts?.status === 401) return
  const request = facts?.requestId === undefined ? '' : ` (${facts.requestId.slice(0, 8)})`
  showNotification({
    message: (error instanceof Error ? error.message : String(error)) + request,
    color: 'bad',
    autoClose: false,
    withBorder: true,
    role: 'alert',
  })
}
