import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiError } from '#api/api-error.ts'
import { call } from '#api/queries.ts'
import { session } from '#api/session.ts'
import type { Body } from '#api/types.ts'

type Changes = Body<'patch', '/api/v1/auth/me'>

/** Changes what is kept of the buyer, and what the page knows of it. */
export const useSaveMe = () => {
  const queries = useQueryClient()
  return useMutation<unknown, ApiError, Changes>({
    mutationFn: async (body) => {
      const saved = await call('patch', '/api/v1/auth/me', { body })
      queries.setQueryData(session.queryKey, (me) => (me === undefined ? me : { ...me, ...saved }))
    },
  })
}
