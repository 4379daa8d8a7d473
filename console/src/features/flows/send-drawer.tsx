import { Select, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/api-error.ts'
import { client } from '#api/client.ts'
import type { Schema } from '#api/types.ts'
import { Action } from '#ui/action.tsx'
import { Drawer } from '#ui/drawer.tsx'
import { useGo } from '#ui/go.ts'
import { toastFailed } from '#ui/toast.tsx'
import { useIdParam } from '#ui/use-params.ts'
import { Unsaved } from '#ui/unsaved.tsx'

const types = ['application/json', 'text/csv', 'application/xml', 'text/plain'] as const

interface Data {
  readonly text: string
  readonly type: string
}

/** Sends data as it is typed: a flow takes anything, so its body is no JSON of the API. */
const sendData = async (flowId: number, { text, type }: Data): Promise<Schema<'StartedRun'>> => {
  const { data } = await client.POST('/api/nifi/flows/{flowId}/data', {
    params: { path: { flowId } },
    body: text,
    bodySerializer: (body) => body,
    headers: { 'content-type': type },
  })
  if (data === undefined) throw new Error('The answer has no run.')
  return data
}

/** Sends a piece of data through a flow, and shows the run that it became. */
export const SendDrawer = () => {
  const { t } = useTranslation('flows')
  const id = useIdParam('flowId')
  const go = useGo()
  const queries = useQueryClient()
  const [type, setType] = useState<string>(types[0])
  const [text, setText] = useState('')
  const sending = useMutation<Schema<'StartedRun'>, ApiError, Data>({
    mutationFn: (data) => sendData(id, data),
    onSuccess: ({ run_id: run }) => go.replace(`/flows/${id}/runs/${run}`),
    onError: toastFailed,
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <Drawer closeTo={`/flows/${id}`} title={t('send.title')} about={t('send.about')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          sending.mutate({ text, type })
        }}
      >
        <Select
          label={t('field.content_type')}
          allowDeselect={false}
          data={[...types]}
          value={type}
          onChange={(value) => setType(value ?? type)}
        />
        <Textarea
          label={t('send.data')}
          required
          autosize
          minRows={10}
          maxRows={30}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <div>
          <Action main type="submit" loading={sending.isPending}>
            {t('send.do')}
          </Action>
        </div>
        <Unsaved changes={text === '' ? 0 : 1} />
      </form>
    </Drawer>
  )
}
