// For the page that says what may be done with a quotation, by whom and when.
export { quotationLifecycle } from '#domains/b2b/quotations/index.ts'
