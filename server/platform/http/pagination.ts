import type { FastifyReply } from 'fastify'
import type { Page, Rows } from '../lists/page.ts'
import { sendList } from '../lists/send-list.ts'

// The parts of platform/lists by their old names, until every list is defined there.
export { orderingOf, orderingQuery, pageQuery } from '../lists/define-list.ts'
export { offsetOf, type Page, type Rows } from '../lists/page.ts'

export const sendArray = <T>(reply: FastifyReply, baseUrl: string, _page: Page, found: Rows<T>): FastifyReply =>
  sendList(reply, baseUrl, found)
