// For the page that says what may be done with a quotation, by whom and when.
export { quotationStatuses, reasons, rules, type Outcome, type Rule } from '#domains/b2b/quotations/index.ts'
