import { useQuery } from '@tanstack/react-query'
import { memo, useDeferredValue, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Failed, Skeleton } from '#ui/states.tsx'
import type { Address, AnyQuery } from '#ui/screen.ts'
import { Unsaved } from '#ui/unsaved.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { DraftContext, DraftNowContext, useDraft, useDraftHere, type Draft } from './draft/use-draft.ts'
import { changesIn } from './draft/changes-in.ts'
import { ChangesBar } from './head/changes-bar.tsx'
import { News } from './head/news.tsx'
import { Reason } from './head/reason.tsx'
import { Steps } from './head/steps.tsx'
import { Tabs } from './head/tabs.tsx'
import { WorkspaceHead } from './head/workspace-head.tsx'
import { Offer } from './print/offer.tsx'
import { auditOf, commentsOf, quotationOf, type Quotation } from './quotation.ts'
import { Side } from './side/side.tsx'
import { useViewers } from './head/viewers.ts'
import classes from './workspace.module.css'

export const asks = ({ params }: Address): readonly AnyQuery[] => {
  const id = Number(params['id'])
  return [quotationOf(id), commentsOf(id), auditOf(id)]
}

/** One quotation as a place to work in: whose turn it is, what can be done, what is offered, what was said, what happened. */
export const WorkspaceScreen = () => {
  const id = useIdParam()
  const { data: quotation, error } = useQuery(quotationOf(id))
  if (quotation?.id === id) return <Workspace key={id} quotation={quotation} />
  if (error !== null) return <Failed error={error} />
  return (
    <div className={classes['page']}>
      <Skeleton lines={18} width="100%" />
    </div>
  )
}

const Workspace = ({ quotation }: { readonly quotation: Quotation }) => {
  const draft = useDraft(quotation)
  return (
    <DraftNowContext value={draft}>
      <DraftContext value={useDeferredValue(draft)}>
        <Desk />
      </DraftContext>
    </DraftNowContext>
  )
}

/** All of it but the grid, which answers keys first, is drawn a moment after them. */
const Desk = memo(function Desk() {
  const { t } = useTranslation('quotations')
  const draft = useDraftHere()
  const { quotation } = draft
  const viewers = useViewers(quotation.id)
  return (
    <>
      <div className={classes['page']} onKeyDown={(event) => undoBy(event, draft)} role="presentation">
        <WorkspaceHead viewers={viewers} />
        <Steps quotation={quotation} />
        <Reason quotation={quotation} />
        <News />
        <div className={classes['work']}>
          <section className={`card ${classes['main']}`} aria-label={t('tabs.label')}>
            <Tabs />
          </section>
          <Side />
        </div>
        <ChangesBar />
      </div>
      <Offer />
      <Unsaved changes={changesIn(draft)} />
    </>
  )
})

/** Ctrl+Z takes the last edit back, except in a field, where it takes letters back. */
const undoBy = (event: KeyboardEvent, { dispatch }: Draft): void => {
  const isField = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement
  if (isField || event.key.toLowerCase() !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey) return
  event.preventDefault()
  dispatch({ type: 'undo' })
}
