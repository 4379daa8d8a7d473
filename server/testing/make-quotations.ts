import { makeBuyers, type Buyer } from './data/make-buyers.ts'
import { makePeople } from './make-people.ts'
import type { TestApp } from './make-test-app.ts'

/** A quotation as it is answered. */
// oxlint-disable-next-line typescript/no-explicit-any -- what the wire said, checked by the assertions that follow
export type WireQuotation = any

/** What a quotation is made of: the pieces of each product. */
export type Pieces = Readonly<Record<string, number>>

/** Makes a company, and quotations in whatever status, through the API. */
export const makeQuotationWorld = async (app: TestApp) => {
  const { call } = app
  const buyers = makeBuyers(app)
  const main = await buyers.division()
  const branch = await buyers.division({ parent: main })
  const owner = await buyers.buyer(branch)
  const mainBuyer = await buyers.buyer(main)
  const people = makePeople(app)
  const credential = await people.authorization(await people.person({ is_staff: true }))
  const staff: Pick<Buyer, 'call'> = {
    call: (method, url, body, headers = {}) => call(method, url, body, { ...credential, ...headers }),
  }
  const chair = await buyers.product({ price: 10_000 })

  /** Puts pieces into the basket of a buyer, for the division if it is said, and makes a quotation. */
  const ask = async (
    buyer: Pick<Buyer, 'call'>,
    division: number,
    pieces: Pieces = { [chair]: 3 },
    name = 'Spring order',
  ): Promise<WireQuotation> => {
    for (const [product, quantity] of Object.entries(pieces)) {
      const put = await buyer.call('POST', '/api/v1/basket/', { product_remote_id: product, division, quantity })
      if (put.statusCode !== 200) throw new Error(put.body)
    }
    const answer = await buyer.call('POST', '/api/v1/my-quotations/', { name })
    if (answer.statusCode !== 201) throw new Error(answer.body)
    return answer.json()
  }

  const must = async (answer: ReturnType<Buyer['call']>): Promise<WireQuotation> => {
    const { statusCode, body } = await answer
    if (statusCode >= 300) throw new Error(body)
    return JSON.parse(body)
  }
  const admin = (id: number, action: string, body?: unknown) =>
    must(call('POST', `/api/v1/quotations/${id}/${action}/`, body))
  const mine = (buyer: Pick<Buyer, 'call'>, id: number, action: string) =>
    must(buyer.call('POST', `/api/v1/my-quotations/${id}/${action}/`))

  return { ...buyers, main, branch, owner, mainBuyer, staff, chair, ask, admin, mine, must }
}
