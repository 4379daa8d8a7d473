import { Modal, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { useSend } from '#api/queries.ts'
import { useMe } from '#api/session.ts'
import { Action } from '#ui/action.tsx'
import { fromLocalTime, toLocalTime } from '#ui/local-time.ts'
import { toastDone } from '#ui/toast.tsx'
import { versionOf, type Quotation } from './quotation.ts'
import { useToldStale } from './use-told-stale.ts'

interface ReopenProps {
  readonly quotation: Quotation
}

/** Takes up again what has expired, with a new time. */
export const ReopenQuotation = ({ quotation }: ReopenProps) => {
  const { t } = useTranslation('quotations')
  const me = useMe()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Action main off={me.is_superuser ? undefined : t('off.role')} onClick={open}>
        {t('action.reopen')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('reopen.title', { number: quotation.number })}>
        {isOpen && <NewTime quotation={quotation} close={close} />}
      </Modal>
    </>
  )
}

const weekMs = 7 * 24 * 60 * 60_000

const NewTime = ({ quotation, close }: ReopenProps & { readonly close: () => void }) => {
  const { t } = useTranslation('quotations')
  const [text, setText] = useState(() => toLocalTime(new Date(Date.now() + weekMs).toISOString()).slice(0, 16))
  const [problem, setProblem] = useState<string>()
  const sending = useSend('post', '/api/v1/quotations/{id}/set-as-draft')
  const toldStale = useToldStale()
  const done = (): void => {
    toastDone(t('done.set-as-draft'))
    close()
  }
  const refused = (error: ApiError): void => {
    setProblem(error.fields['expires_at'])
    if (!('expires_at' in error.fields)) toldStale(error)
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        sending.mutate(
          {
            path: { id: quotation.id },
            ifMatch: versionOf(quotation),
            body: { expires_at: fromLocalTime(text) ?? null },
          },
          { onSuccess: done, onError: refused },
        )
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('valid.until')}
        description={t('reopen.hint')}
        value={text}
        error={problem}
        data-autofocus
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <div>
        <Action main type="submit" loading={sending.isPending}>
          {t('reopen.submit')}
        </Action>
      </div>
    </form>
  )
}
