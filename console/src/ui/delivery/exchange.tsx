import { Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonView } from '#ui/json-view.tsx'
import type { Search } from '#ui/list/filters.ts'
import type { Attempt, Headers } from './attempt.ts'
import { Compare } from './compare.tsx'
import { isBroker } from './is-broker.ts'
import { endingWord } from './ending.ts'
import { SignatureCheck } from './signature-check.tsx'
import classes from './delivery.module.css'

interface ExchangeProps {
  /** Every attempt, the first one first. */
  readonly attempts: readonly Attempt[]
  /** The one that is shown; undefined while none was made. */
  readonly chosen: Attempt | undefined
  /** Where it is sent to; null when that is not known any more. */
  readonly url: string | null
  /** The body, the same on every attempt. */
  readonly body: string
  /** Fetches what signs, for surfaces that show secrets; without it the reader puts it in. */
  readonly fetchSecret?: () => Promise<string>
}

/** What was sent and what came back, the difference between two attempts, and whether a signature is right. */
export const Exchange = ({ attempts, chosen, url, body, fetchSecret }: ExchangeProps) => {
  const { t } = useTranslation('delivery')
  const tabs = ['request', ...(chosen === undefined ? [] : ['response', ...others(attempts), 'signature'])]
  const [tab, setTab] = useTab(tabs)
  const ending = chosen === undefined ? '' : endingWord(chosen, t)
  return (
    <Tabs value={tab} onChange={setTab} keepMounted={false} classNames={{ list: classes['tabs'] ?? '' }}>
      <Tabs.List>
        <Tabs.Tab value="request">{t('tab.request')}</Tabs.Tab>
        {chosen !== undefined && (
          <Tabs.Tab value="response">
            {t('tab.response')} <span className="muted">{ending}</span>
          </Tabs.Tab>
        )}
        {tabs.includes('compare') && <Tabs.Tab value="compare">{t('tab.compare')}</Tabs.Tab>}
        {chosen !== undefined && <Tabs.Tab value="signature">{t('tab.signature')}</Tabs.Tab>}
      </Tabs.List>
      <Panel value="request">
        <HeaderLines first={firstLineOf(url)} headers={chosen?.requestHeaders ?? null} />
        <JsonView text={body} label={t('request_body')} />
      </Panel>
      {chosen !== undefined && (
        <>
          <Panel value="response">
            <Response attempt={chosen} />
          </Panel>
          <Panel value="compare">
            <Compare attempts={attempts} chosen={chosen} />
          </Panel>
          <Panel value="signature">
            <SignatureCheck
              key={chosen.number}
              headers={chosen.requestHeaders ?? {}}
              body={body}
              fetchSecret={fetchSecret}
            />
          </Panel>
        </>
      )}
    </Tabs>
  )
}

/** A try is compared where there is another one. */
const others = (attempts: readonly Attempt[]): readonly string[] => (attempts.length > 1 ? ['compare'] : [])

/** The tab that the address names; the first one where it names none that is there. */
const useTab = (tabs: readonly string[]) => {
  const { tab }: Search = useSearch({ strict: false })
  const navigate = useNavigate()
  const choose = (next: string | null): void => {
    const search = (before: object) => ({ ...before, tab: next === tabs[0] ? undefined : next })
    void navigate({ to: '.', search, replace: true, resetScroll: false })
  }
  return [tabs.find((name) => name === tab) ?? tabs[0] ?? null, choose] as const
}

const Panel = ({ value, children }: { readonly value: string; readonly children: ReactNode }) => (
  <Tabs.Panel value={value} pt={8}>
    <div className="stack">{children}</div>
  </Tabs.Panel>
)

const Response = ({ attempt }: { readonly attempt: Attempt }) => {
  const { t } = useTranslation('delivery')
  const { status, detail, responseHeaders, responseBody, address } = attempt
  return (
    <>
      {detail !== null && <p>{detail}</p>}
      {status === null && detail === null && <p className="muted">{t('no_answer')}</p>}
      {status !== null && <HeaderLines first={`HTTP ${status}`} headers={responseHeaders} />}
      {responseBody !== null && responseBody !== '' && <JsonView text={responseBody} label={t('response_body')} />}
      {status !== null && (responseBody === null || responseBody === '') && <p className="muted">{t('no_body')}</p>}
      {address !== null && (
        <p className="small muted">
          {t('from_address')} <code>{address}</code>
        </p>
      )}
    </>
  )
}

const firstLineOf = (url: string | null): string => `${isBroker(url) ? 'PUBLISH' : 'POST'} ${url ?? '–'}`

/** The first line of a message and its headers. */
const HeaderLines = ({ first, headers }: { readonly first: string; readonly headers: Headers | null }) => (
  <pre className={classes['headers']}>
    <b>{first}</b>
    {Object.entries(headers ?? {}).map(([name, value]) => (
      <span key={name}>
        {'\n'}
        <span className="muted">{name}:</span> {value}
      </span>
    ))}
  </pre>
)
