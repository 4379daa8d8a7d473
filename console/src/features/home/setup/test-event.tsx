import { useTranslation } from 'react-i18next'
import { useSend } from '#api/queries.ts'
import { Action } from '#ui/action.tsx'
import { toastFailed } from '#ui/toast.tsx'

interface TestEventProps {
  /** The subscription that gets it; undefined while there is none. */
  readonly hookId: number | undefined
  readonly isAgain: boolean
}

/** Sends the example of an event to the subscription alone. */
export const TestEvent = ({ hookId, isAgain }: TestEventProps) => {
  const { t } = useTranslation('home')
  const pinging = useSend('post', '/whisperer/hooks/{id}/ping')
  return (
    <>
      <p className="muted">{t('setup.raise.why')}</p>
      <div>
        <Action
          main={!isAgain}
          off={hookId === undefined ? t('setup.raise.off') : undefined}
          loading={pinging.isPending}
          onClick={() => {
            if (hookId !== undefined) pinging.mutate({ path: { id: hookId } }, { onError: toastFailed })
          }}
        >
          {isAgain ? t('setup.raise.again') : t('setup.raise.do')}
        </Action>
      </div>
    </>
  )
}
