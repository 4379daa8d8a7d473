import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Page, Rows } from '../lists/page.ts'
import { envelope as envelopeOf, sendList } from '../lists/send-list.ts'

// The parts of platform/lists by their old names, until every list is defined there.
export { orderingOf, orderingQuery, pageQuery } from '../lists/define-list.ts'
export { offsetOf, type Page, type Rows } from '../lists/page.ts'
export { Envelope } from '../lists/send-list.ts'

export const sendArray = <T>(reply: FastifyReply, baseUrl: string, _page: Page, found: Rows<T>): FastifyReply =>
  sendList(reply, baseUrl, found)
export const envelope = <T>(request: FastifyRequest, baseUrl: string, _page: Page, found: Rows<T>) =>
  envelopeOf(request, baseUrl, found)
