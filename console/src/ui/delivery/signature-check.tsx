import { PasswordInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Action } from '#ui/action.tsx'
import { CopyText } from '#ui/copy.tsx'
import { Status } from '#ui/status.tsx'
import { toastFailed } from '#ui/toast.tsx'
import type { Headers } from './attempt.ts'
import { hasSignature, isSignedBy, signaturesOf, type Signatures, type Signed } from './signatures.ts'

interface SignatureCheckProps {
  /** Those of the request of the attempt: they name the id and the time that were signed. */
  readonly headers: Headers
  readonly body: string
  readonly fetchSecret?: (() => Promise<string>) | undefined
}

type Result =
  | { readonly kind: 'signatures'; readonly of: Signatures }
  | { readonly kind: 'verified'; readonly is: boolean }

/**
 * Computes what a delivery was signed with, and compares it with what a receiver got. The log keeps no signatures; the
 * secret is used in this page and sent nowhere.
 */
export const SignatureCheck = ({ headers, body, fetchSecret }: SignatureCheckProps) => {
  const { t } = useTranslation('delivery')
  const [secret, setSecret] = useState('')
  const [received, setReceived] = useState('')
  const signed = { id: headers['webhook-id'] ?? '', timestamp: headers['webhook-timestamp'] ?? '', body }
  const { result, isWrong, forget, check } = useCheck(signed)
  const change = (next: string): void => {
    setSecret(next)
    forget()
  }
  if (!('webhook-signature' in headers)) return <p className="muted">{t('not_signed')}</p>
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void check(secret.trim(), received)
      }}
    >
      <p className="muted">{t('signature_why')}</p>
      <PasswordInput
        label={t('secret')}
        description={t('secret_hint')}
        placeholder="whsec_…"
        autoComplete="off"
        value={secret}
        error={isWrong ? t('secret_wrong') : undefined}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <Textarea
        label={t('received')}
        description={t('received_hint')}
        placeholder="v1,…"
        autosize
        value={received}
        onChange={(event) => {
          setReceived(event.currentTarget.value)
          forget()
        }}
      />
      <div className="flex wrap">
        <Action type="submit" off={isEnough(secret, received) ? undefined : t('secret_first')}>
          {t('compute')}
        </Action>
        {fetchSecret !== undefined && (
          <Action onClick={() => void fetchSecret().then(change, toastFailed)}>{t('fetch_secret')}</Action>
        )}
      </div>
      <Outcome result={result} received={received} hasOriginal={'x-whisperer-signature' in headers} />
    </form>
  )
}

/** What is signed with a key pair can only be verified, for which there has to be a signature. */
const isEnough = (secret: string, received: string): boolean =>
  secret !== '' && (!isPublicKey(secret) || received.trim() !== '')

const isPublicKey = (secret: string): boolean => secret.trim().startsWith('whpk_')

const useCheck = (signed: Signed) => {
  const [result, setResult] = useState<Result>()
  const [isWrong, setWrong] = useState(false)
  const forget = (): void => {
    setResult(undefined)
    setWrong(false)
  }
  const check = async (secret: string, received: string): Promise<void> => {
    try {
      setResult(
        isPublicKey(secret)
          ? { kind: 'verified', is: await isSignedBy(secret, received, signed) }
          : { kind: 'signatures', of: await signaturesOf(secret, signed) },
      )
    } catch {
      // What was typed is not base64, or not 32 bytes of a key.
      setWrong(true)
    }
  }
  return { result, isWrong, forget, check }
}

interface OutcomeProps {
  readonly result: Result | undefined
  readonly received: string
  /** Whether the attempt also had the signature of the original hook service. */
  readonly hasOriginal: boolean
}

const Outcome = ({ result, received, hasOriginal }: OutcomeProps) => {
  const { t } = useTranslation('delivery')
  return (
    <div aria-live="polite" className="stack">
      {result?.kind === 'verified' && <Verdict is={result.is} />}
      {result?.kind === 'signatures' && (
        <>
          {received.trim() === '' ? <p>{t('unproven')}</p> : <Verdict is={hasSignature(received, result.of)} />}
          <p className="muted">{t('expected')}</p>
          <Line name="webhook-signature" value={result.of.standard} />
          {hasOriginal && <Line name="x-whisperer-signature" value={result.of.whisperer} />}
        </>
      )}
    </div>
  )
}

const Verdict = ({ is }: { readonly is: boolean }) => {
  const { t } = useTranslation('delivery')
  return (
    <div>
      <Status outcome={is ? 'ok' : 'bad'}>{t(is ? 'right' : 'wrong')}</Status>
      {!is && <p className="muted">{t('wrong_why')}</p>}
    </div>
  )
}

const Line = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div>
    <div className="flex between small muted">
      {name}
      <CopyText text={value} />
    </div>
    <code style={{ overflowWrap: 'anywhere' }}>{value}</code>
  </div>
)
