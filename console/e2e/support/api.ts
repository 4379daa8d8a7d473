/** A request of somebody, such as `POST /api/v1/events`; a body that is a text is a table. @returns the body of the answer. @throws when it is refused */
export type ApiCall = <T = unknown>(methodAndPath: string, body?: unknown) => Promise<T>

/** The API as somebody uses it without a browser: for what a journey needs to be there before it begins. */
export const logInToApi = async (
  origin: string,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<ApiCall> => {
  const callWith =
    (headers: Readonly<Record<string, string>>): ApiCall =>
    async <T>(methodAndPath: string, body?: unknown) => {
      const [method = '', path = ''] = methodAndPath.split(' ')
      const isTable = typeof body === 'string'
      const answer = await fetch(origin + path, {
        method,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': isTable ? 'text/csv' : 'application/json' }),
        },
        ...(body !== undefined && { body: isTable ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${methodAndPath} was answered with ${answer.status}: ${text.slice(0, 500)}`)
      return (text === '' ? undefined : JSON.parse(text)) as T
    }
  const { key } = await callWith({})<{ key: string }>('POST /api/v1/auth/login', { username: email, password })
  return callWith({ authorization: `Token ${key}` })
}
