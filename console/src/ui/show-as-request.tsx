import { Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { Action } from './action.tsx'
import { CopyText } from './copy.tsx'

export interface ShownRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path with its query, as `addressOf` makes it. */
  readonly url: string
  readonly body?: unknown
}

/** The request of the API behind what is on the screen, as curl. The reader puts in a key of their own. */
export const asCurl = ({ method = 'GET', url, body }: ShownRequest, origin: string): string =>
  [
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}'${quoted(origin + url)}'`,
    `  -H "Authorization: Api-Key $WAYBILL_KEY"`,
    ...(body === undefined ? [] : [`  -H 'Content-Type: application/json'`, `  -d '${quoted(JSON.stringify(body))}'`]),
  ].join(' \\\n')

const quoted = (text: string): string => text.replaceAll("'", `'\\''`)

/** A quiet button that shows the request and copies it. */
export const ShowAsRequest = (request: ShownRequest) => {
  const { t } = useTranslation('texts')
  const [isOpen, { open, close }] = useDisclosure()
  const curl = asCurl(request, location.origin)
  return (
    <>
      <Action variant="subtle" onClick={open}>
        {t('request.show')}
      </Action>
      <Modal opened={isOpen} onClose={close} title={t('request.title')} size="lg">
        <div className="stack">
          <p className="muted">{t('request.why')}</p>
          <pre>{curl}</pre>
          <div className="flex between">
            <a href="/docs">{t('request.reference')}</a>
            <CopyText text={curl} />
          </div>
        </div>
      </Modal>
    </>
  )
}
