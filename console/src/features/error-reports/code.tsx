import { isUnsaid } from './sentence.ts'

interface CodeProps {
  readonly code: string
  readonly isMuted?: boolean
  /** What divides it from the next, where there is a code. */
  readonly after?: string
}

/** An error code; nothing where it says nothing. */
export const Code = ({ code, isMuted = false, after }: CodeProps) =>
  isUnsaid(code) ? null : (
    <>
      <code className={isMuted ? 'muted' : undefined}>{code}</code>
      {after}
    </>
  )
